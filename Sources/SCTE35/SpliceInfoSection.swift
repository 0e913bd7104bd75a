/// splice_info_section(), SCTE 35 2022b §9.6: one cue message.
///
/// Reading keeps all that the bytes say, so that writing a section that was only read gives the same bytes.
package struct SpliceInfoSection: Hashable, Sendable {
    package var command: SpliceCommand
    package var descriptors: [SpliceDescriptor]
    /// pts_adjustment, added to every pts_time by equipment that restamps the program.
    package var presentationTimeAdjustment: PresentationTime
    /// Who the message is for, 12 bits; 0xFFF = everyone.
    package var tier: UInt16
    /// sap_type: how far the splice point suits switching (ISO/IEC 14496-12 SAP), 2 bits; 3 = not said.
    package var sapType: UInt8

    /// How splice_command_length is written.
    package var commandLength = CommandLength.counted
    /// Bytes of the command beyond what the standard has.
    package var commandTrailer: [UInt8] = []
    /// alignment_stuffing before CRC_32.
    package var stuffing: [UInt8] = []
    /// encryption_algorithm, 6 bits, and cw_index: without meaning in a message in the clear.
    package var encryptionAlgorithm: UInt8 = 0
    package var controlWordIndex: UInt8 = 0
    /// section_syntax_indicator and private_indicator: 0 by the standard, 2 bits.
    package var sectionFlags: UInt8 = 0

    package init(
        command: SpliceCommand, descriptors: [SpliceDescriptor] = [],
        presentationTimeAdjustment: PresentationTime = .zero, tier: UInt16 = 0xFFF, sapType: UInt8 = 3
    ) {
        self.command = command
        self.descriptors = descriptors
        self.presentationTimeAdjustment = presentationTimeAdjustment
        self.tier = tier
        self.sapType = sapType
    }

    /// How splice_command_length is written.
    package enum CommandLength: Hashable, Sendable {
        /// The length of the command.
        case counted
        /// 0xFFF, as encoders before 2004 sent it: the command itself tells.
        case unspecified
        /// A wrong number, as received.
        case mistaken(UInt16)
    }

    /// What to do about a CRC_32 that doesn't match.
    package enum ChecksumRule: Hashable, Sendable {
        case required
        /// Read on. For showing what a broken message would have said, not for acting on it.
        case ignored
    }
}

extension SpliceInfoSection {
    /// The section in `text`: see ``SpliceText/bytes(_:)`` for its forms.
    package init(
        text: some StringProtocol, checksum: ChecksumRule = .required
    ) throws(SCTE35Error) {
        try self.init(decoding: SpliceText.bytes(text), checksum: checksum)
    }

    /// The time at which the command takes place, pts_adjustment included. Nil when it has none: at once, a
    /// cancellation, components with times of their own, or a command that is no splice.
    package var spliceTime: PresentationTime? {
        switch command {
        case .timeSignal(let signal): return adjusted(signal.time)
        case .insert(let insert):
            guard let event = insert.event, !event.isImmediate, case .program(let time) = event.target else {
                return nil
            }
            return adjusted(time)
        case .null, .schedule, .bandwidthReservation, .privateCommand, .unknown: return nil
        }
    }

    /// A time of this section with pts_adjustment added.
    package func adjusted(_ time: SpliceTime) -> PresentationTime? {
        time.presentationTime?.adjusted(by: presentationTimeAdjustment)
    }

    /// The segmentation descriptors, in order.
    package var segmentationDescriptors: [SegmentationDescriptor] {
        descriptors.compactMap { if case .segmentation(let descriptor) = $0 { descriptor } else { nil } }
    }

    /// Standard base64 with padding.
    package func base64() throws(SCTE35Error) -> String { SpliceText.base64(try encoded()) }

    /// `0x` and upper-case digits.
    package func hexadecimal() throws(SCTE35Error) -> String { SpliceText.hexadecimal(try encoded()) }
}
