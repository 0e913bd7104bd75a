/// avail_descriptor(), SCTE 35 §10.3.1: names the avail to the provider's own systems.
package struct AvailDescriptor: Hashable, Sendable {
    package var providerAvailID: UInt32
    /// Bytes beyond what the standard has.
    package var trailer: [UInt8] = []

    package init(providerAvailID: UInt32) { self.providerAvailID = providerAvailID }

    init(from reader: inout BitReader) throws(SCTE35Error) {
        providerAvailID = try reader.uint32("provider_avail_id")
        trailer = reader.rest()
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(UInt64(providerAvailID), 32, "provider_avail_id")
        writer.append(trailer)
    }
}

/// DTMF_descriptor(), SCTE 35 §10.3.2: tones that older equipment listens for.
package struct DTMFDescriptor: Hashable, Sendable {
    /// Time from the end of the tones to the avail, tenths of a second.
    package var preroll: UInt8
    /// ASCII: digits, `*`, `#`. Seven at most.
    package var characters: [UInt8]
    package var reserved = ReservedBits()
    /// Bytes beyond what the standard has.
    package var trailer: [UInt8] = []

    package init(preroll: UInt8, characters: [UInt8]) {
        self.preroll = preroll
        self.characters = characters
    }

    init(from reader: inout BitReader) throws(SCTE35Error) {
        preroll = try reader.uint8("preroll")
        let count = Int(truncatingIfNeeded: try reader.bits(3, "dtmf_count"))
        try reader.reserved(5, into: &reserved)
        characters = try reader.bytes(count, "DTMF_char")
        trailer = reader.rest()
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(UInt64(preroll), 8, "preroll")
        try writer.count(characters.count, 3, "dtmf_count")
        try writer.reserved(5, reserved)
        writer.append(characters)
        writer.append(trailer)
    }
}

/// time_descriptor(), SCTE 35 §10.3.4: wall clock of the splice point, for synchronising systems without PTS.
package struct TimeDescriptor: Hashable, Sendable {
    /// Seconds of international atomic time since 1970, 48 bits.
    package var atomicSeconds: UInt64
    /// Nanoseconds on top of the seconds.
    package var atomicNanoseconds: UInt32
    /// Atomic time minus UTC, whole seconds.
    package var utcOffset: UInt16
    /// Bytes beyond what the standard has.
    package var trailer: [UInt8] = []

    package init(atomicSeconds: UInt64, atomicNanoseconds: UInt32, utcOffset: UInt16) {
        self.atomicSeconds = atomicSeconds
        self.atomicNanoseconds = atomicNanoseconds
        self.utcOffset = utcOffset
    }

    /// Whole seconds since 1970 UTC.
    package var unixSeconds: Int64 { Int64(clamping: atomicSeconds) &- Int64(utcOffset) }

    init(from reader: inout BitReader) throws(SCTE35Error) {
        atomicSeconds = try reader.bits(48, "TAI_seconds")
        atomicNanoseconds = try reader.uint32("TAI_ns")
        utcOffset = try reader.uint16("UTC_offset")
        trailer = reader.rest()
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.bits(atomicSeconds, 48, "TAI_seconds")
        try writer.bits(UInt64(atomicNanoseconds), 32, "TAI_ns")
        try writer.bits(UInt64(utcOffset), 16, "UTC_offset")
        writer.append(trailer)
    }
}

/// audio_descriptor(), SCTE 35 §10.3.5: the audio of the coming program where the PMT changes too late.
package struct AudioDescriptor: Hashable, Sendable {
    /// Fifteen at most.
    package var services: [Service]
    package var reserved = ReservedBits()
    /// Bytes beyond what the standard has.
    package var trailer: [UInt8] = []

    package init(services: [Service]) { self.services = services }

    package struct Service: Hashable, Sendable {
        package var componentTag: UInt8
        /// Three letters of ISO 639-2, each a byte, 24 bits.
        package var languageCode: UInt32
        /// Bit_Stream_Mode of ATSC A/52, 3 bits.
        package var bitStreamMode: UInt8
        /// Num_Channels of ATSC A/52, 4 bits.
        package var channelMode: UInt8
        package var isFullService: Bool

        package init(
            componentTag: UInt8, languageCode: UInt32, bitStreamMode: UInt8, channelMode: UInt8, isFullService: Bool
        ) {
            self.componentTag = componentTag
            self.languageCode = languageCode
            self.bitStreamMode = bitStreamMode
            self.channelMode = channelMode
            self.isFullService = isFullService
        }
    }

    init(from reader: inout BitReader) throws(SCTE35Error) {
        let count = try reader.bits(4, "audio_count")
        try reader.reserved(4, into: &reserved)
        services = []
        for _ in 0..<count {
            services.append(
                Service(
                    componentTag: try reader.uint8("component_tag"),
                    languageCode: UInt32(truncatingIfNeeded: try reader.bits(24, "ISO_code")),
                    bitStreamMode: UInt8(truncatingIfNeeded: try reader.bits(3, "Bit_Stream_Mode")),
                    channelMode: UInt8(truncatingIfNeeded: try reader.bits(4, "Num_Channels")),
                    isFullService: try reader.flag("Full_Srvc_Audio")))
        }
        trailer = reader.rest()
    }

    func write(to writer: inout BitWriter) throws(SCTE35Error) {
        try writer.count(services.count, 4, "audio_count")
        try writer.reserved(4, reserved)
        for service in services {
            try writer.bits(UInt64(service.componentTag), 8, "component_tag")
            try writer.bits(UInt64(service.languageCode), 24, "ISO_code")
            try writer.bits(UInt64(service.bitStreamMode), 3, "Bit_Stream_Mode")
            try writer.bits(UInt64(service.channelMode), 4, "Num_Channels")
            try writer.flag(service.isFullService, "Full_Srvc_Audio")
        }
        writer.append(trailer)
    }
}
