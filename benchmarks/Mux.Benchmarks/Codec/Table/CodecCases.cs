namespace Mux.Benchmarks.Codec.Table;

/// <summary>All cells of the table, the reference first.</summary>
internal static class CodecCases
{
    public const string HandWritten = "hand-written";
    public const string Generated = "generated";
    public const string Google = "Google.Protobuf";
    public const string Json = "System.Text.Json";

    public const string Request = "request, 11 B";
    public const string Reply = "reply, 49 B";
    public const string Order = "order of 20 lines, 1 KiB";
    public const string Attachment = "bytes, 64 KiB";
    public const string Readings = "1,000 small items, 13 KiB";

    private static readonly List<CodecCase> s_all =
    [
        CodecCase.Of<HandWrittenCases.OfRequest>(Request, HandWritten),
        CodecCase.Of<GeneratedCases.OfRequest>(Request, Generated),
        CodecCase.Of<GoogleCases.OfRequest>(Request, Google),
        CodecCase.Of<JsonCases.OfRequest>(Request, Json),
        CodecCase.Of<HandWrittenCases.OfReply>(Reply, HandWritten),
        CodecCase.Of<GeneratedCases.OfReply>(Reply, Generated),
        CodecCase.Of<GoogleCases.OfReply>(Reply, Google),
        CodecCase.Of<JsonCases.OfReply>(Reply, Json),
        CodecCase.Of<HandWrittenCases.OfOrder>(Order, HandWritten),
        CodecCase.Of<GeneratedCases.OfOrder>(Order, Generated),
        CodecCase.Of<GoogleCases.OfOrder>(Order, Google),
        CodecCase.Of<JsonCases.OfOrder>(Order, Json),
        CodecCase.Of<HandWrittenCases.OfAttachment>(Attachment, HandWritten),
        CodecCase.Of<GeneratedCases.OfAttachment>(Attachment, Generated),
        CodecCase.Of<GoogleCases.OfAttachment>(Attachment, Google),
        CodecCase.Of<JsonCases.OfAttachment>(Attachment, Json),
        CodecCase.Of<HandWrittenCases.OfReadings>(Readings, HandWritten),
        CodecCase.Of<GeneratedCases.OfReadings>(Readings, Generated),
        CodecCase.Of<GoogleCases.OfReadings>(Readings, Google),
        CodecCase.Of<JsonCases.OfReadings>(Readings, Json),
    ];

    public static IReadOnlyList<CodecCase> All => s_all;

    public static IEnumerable<string> Messages => s_all.Select(static one => one.Message).Distinct();

    public static IEnumerable<string> Libraries => s_all.Select(static one => one.Library).Distinct();

    /// <summary>A further column, of a library that is not to be had everywhere.</summary>
    public static void Add(IEnumerable<CodecCase> column) => s_all.AddRange(column);

    public static CodecCase Find(string message, string library) => s_all.Single(one => one.Message == message && one.Library == library);
}
