/// An attribute as the standard defines it for a tag.
struct AttributeDefinition: Sendable {
    let name: StaticString
    let form: AttributeForm
    /// Whether rule 111 asks for it. Attributes that a rule of their own asks for are not marked.
    let isRequired: Bool

    init(_ name: StaticString, _ form: AttributeForm, required: Bool = false) {
        self.name = name
        self.form = form
        isRequired = required
    }
}

/// The attributes of the standard's tags, RFC 8216bis §4.4.
enum AttributeGrammar {
    private static let yesOrNo = AttributeForm.enumerated(["YES", "NO"])
    /// NO is said by leaving the attribute out.
    private static let yes = AttributeForm.enumerated(["YES"])

    /// The attributes of a tag; empty for one without an attribute list.
    static func definitions(of kind: TagKind) -> [AttributeDefinition] {
        table[kind] ?? []
    }

    private static let table: [TagKind: [AttributeDefinition]] = mediaTags.merging(multivariantTags) { first, _ in first
    }

    /// §4.4.2-4.4.5.
    private static let mediaTags: [TagKind: [AttributeDefinition]] = [
        .start: [
            AttributeDefinition("TIME-OFFSET", .signedDecimal, required: true),
            AttributeDefinition("PRECISE", yesOrNo),
        ],
        .define: [
            AttributeDefinition("NAME", .quoted), AttributeDefinition("VALUE", .quoted),
            AttributeDefinition("IMPORT", .quoted), AttributeDefinition("QUERYPARAM", .quoted),
        ],
        .partInformation: [AttributeDefinition("PART-TARGET", .decimal, required: true)],
        .serverControl: [
            AttributeDefinition("CAN-SKIP-UNTIL", .decimal), AttributeDefinition("CAN-SKIP-DATERANGES", yes),
            AttributeDefinition("HOLD-BACK", .decimal), AttributeDefinition("PART-HOLD-BACK", .decimal),
            AttributeDefinition("CAN-BLOCK-RELOAD", yes),
        ],
        .skip: [
            AttributeDefinition("SKIPPED-SEGMENTS", .integer, required: true),
            AttributeDefinition("RECENTLY-REMOVED-DATERANGES", .quoted),
        ],
        .key: keyAttributes,
        // Its URI is rule 701.
        .map: [AttributeDefinition("URI", .quoted), AttributeDefinition("BYTERANGE", .byteRange)],
        .part: [
            AttributeDefinition("URI", .quoted, required: true),
            AttributeDefinition("DURATION", .decimal, required: true),
            AttributeDefinition("INDEPENDENT", yes), AttributeDefinition("BYTERANGE", .byteRange),
            AttributeDefinition("GAP", yes),
        ],
        // ID and START-DATE are rule 811, the sections of SCTE 35 rule 817.
        .dateRange: [
            AttributeDefinition("ID", .quoted), AttributeDefinition("CLASS", .quoted),
            AttributeDefinition("START-DATE", .date), AttributeDefinition("END-DATE", .date),
            AttributeDefinition("DURATION", .decimal), AttributeDefinition("PLANNED-DURATION", .decimal),
            AttributeDefinition("END-ON-NEXT", .enumerated(nil)), AttributeDefinition("CUE", .quoted),
        ],
        .preloadHint: [
            // Players ignore types they do not know.
            AttributeDefinition("TYPE", .enumerated(nil), required: true),
            AttributeDefinition("URI", .quoted, required: true),
            AttributeDefinition("BYTERANGE-START", .integer), AttributeDefinition("BYTERANGE-LENGTH", .integer),
        ],
        // Its URI is rule 1006. Numbers equal to those of the playlist may be left out.
        .renditionReport: [
            AttributeDefinition("URI", .quoted), AttributeDefinition("LAST-MSN", .integer),
            AttributeDefinition("LAST-PART", .integer),
        ],
    ]

    /// METHOD's words are rule 601, the length of IV rule 604.
    private static let keyAttributes = [
        AttributeDefinition("METHOD", .enumerated(nil), required: true), AttributeDefinition("URI", .quoted),
        AttributeDefinition("IV", .hexadecimal), AttributeDefinition("KEYFORMAT", .quoted),
        AttributeDefinition("KEYFORMATVERSIONS", .versions),
    ]

    /// What variants of all kinds have. BANDWIDTH is rule 1101.
    private static let variantAttributes = [
        AttributeDefinition("BANDWIDTH", .integer), AttributeDefinition("AVERAGE-BANDWIDTH", .integer),
        AttributeDefinition("SCORE", .decimal), AttributeDefinition("CODECS", .quoted),
        AttributeDefinition("SUPPLEMENTAL-CODECS", .quoted), AttributeDefinition("RESOLUTION", .resolution),
        AttributeDefinition("HDCP-LEVEL", .enumerated(["NONE", "TYPE-0", "TYPE-1"])),
        AttributeDefinition("ALLOWED-CPC", .quoted),
        AttributeDefinition("VIDEO-RANGE", .enumerated(["SDR", "HLG", "PQ"])),
        AttributeDefinition("REQ-VIDEO-LAYOUT", .quoted), AttributeDefinition("STABLE-VARIANT-ID", .quoted),
        AttributeDefinition("VIDEO", .quoted), AttributeDefinition("PATHWAY-ID", .pathway),
        AttributeDefinition("PROGRAM-ID", .integer), AttributeDefinition("NAME", .quoted),
    ]

    /// §4.4.6.
    private static let multivariantTags: [TagKind: [AttributeDefinition]] = [
        .media: [
            AttributeDefinition(
                "TYPE", .enumerated(["AUDIO", "VIDEO", "SUBTITLES", "CLOSED-CAPTIONS"]), required: true),
            AttributeDefinition("URI", .quoted), AttributeDefinition("GROUP-ID", .quoted, required: true),
            AttributeDefinition("LANGUAGE", .quoted), AttributeDefinition("ASSOC-LANGUAGE", .quoted),
            AttributeDefinition("NAME", .quoted, required: true), AttributeDefinition("STABLE-RENDITION-ID", .quoted),
            AttributeDefinition("DEFAULT", yesOrNo), AttributeDefinition("AUTOSELECT", yesOrNo),
            AttributeDefinition("FORCED", yesOrNo), AttributeDefinition("INSTREAM-ID", .quoted),
            AttributeDefinition("BIT-DEPTH", .integer), AttributeDefinition("SAMPLE-RATE", .integer),
            AttributeDefinition("CHARACTERISTICS", .quoted), AttributeDefinition("CHANNELS", .quoted),
        ],
        .streamInformation: variantAttributes + [
            AttributeDefinition("FRAME-RATE", .decimal), AttributeDefinition("AUDIO", .quoted),
            AttributeDefinition("SUBTITLES", .quoted),
            AttributeDefinition("CLOSED-CAPTIONS", .quotedOrWord("NONE")),
        ],
        .iFrameStreamInformation: variantAttributes + [AttributeDefinition("URI", .quoted, required: true)],
        .imageStreamInformation: variantAttributes + [AttributeDefinition("URI", .quoted)],
        .sessionData: [
            AttributeDefinition("DATA-ID", .quoted, required: true), AttributeDefinition("VALUE", .quoted),
            AttributeDefinition("URI", .quoted), AttributeDefinition("FORMAT", .enumerated(["JSON", "RAW"])),
            AttributeDefinition("LANGUAGE", .quoted),
        ],
        .sessionKey: keyAttributes,
        .contentSteering: [
            AttributeDefinition("SERVER-URI", .quoted, required: true), AttributeDefinition("PATHWAY-ID", .pathway),
        ],
    ]
}
