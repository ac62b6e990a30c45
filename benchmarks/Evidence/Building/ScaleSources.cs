using System.Globalization;
using System.Text;

namespace Evidence.Building;

/// <summary>
/// The sources of a large project: contracts with ten methods and fifteen messages each, of the shapes that programs have. The same number of contracts
/// gives the same sources.
/// </summary>
internal static class ScaleSources
{
    public const int Methods = 10;
    public const int Messages = 15;

    /// <summary>What holds for all contracts.</summary>
    public const string Shared = "[assembly: Mux.MuxCompatibilityLevel(Mux.MuxCompatibilityLevel.Level300)]";

    // Those that hold numbers, texts and values of the framework alone, which others hold.
    private const int Plain = 5;

    private const string Contract = """
        public enum State@ { None, Open, Closed, Lost = 10 }

        [MuxService("plant.Station@")]
        public interface IStation@
        {
            ValueTask<M@x5> FindAsync(M@x6 request, CancellationToken cancellationToken = default);

            Task<M@x7> LoadAsync(string name, int count, CancellationToken cancellationToken = default);

            ValueTask<int> CountAsync(string name, CancellationToken cancellationToken = default);

            IAsyncEnumerable<M@x8> ListAsync(M@x9 request, CancellationToken cancellationToken = default);

            Task StoreAsync(M@x10 order, CancellationToken cancellationToken = default);

            [MuxMethod(OneWay = true)]
            ValueTask NoteAsync(string text, CancellationToken cancellationToken = default);

            ValueTask<List<M@x11>> FindAllAsync(List<int> ids, CancellationToken cancellationToken = default);

            Task<M@x12?> SearchAsync(DateTime from, DateTime to, string? text, bool isWhole, State@ state, CancellationToken cancellationToken = default);

            Task<long> UploadAsync(IAsyncEnumerable<M@x13> items, CancellationToken cancellationToken = default);

            ValueTask<Dictionary<string, int>> TotalsAsync(M@x14 request, Guid user, CancellationToken cancellationToken = default);
        }
        """;

    private static readonly string[] s_plainTypes =
        ["int", "string?", "long", "string?", "bool", "double", "State@", "DateTime", "int?", "string?", "Guid", "decimal", "int", "string", "DateTime?"];

    private static readonly string[] s_types =
    [
        "int", "string?", "List<int>", "M@x0?", "string?", "bool", "List<M@x1>", "State@", "DateTime", "byte[]?", "long", "string?", "Dictionary<string, int>", "int?",
        "List<string>", "double", "M@x2?", "Guid", "string[]", "TimeSpan", "int", "Dictionary<int, M@x3>", "decimal", "string?", "DateTime?", "M@x4[]", "uint", "int[]",
        "long?", "string?", "List<double>",
    ];

    /// <summary>A file that no contract looks at, with another constant after each edit, and another type after each that declares one.</summary>
    public static string Other(int edit, int declared = 0) =>
        $"namespace Plant; internal static class Other {{ internal static int Edit() => {edit}; internal static class Declared{declared}; }}";

    /// <summary>The file of one contract, with so many members more in one of its messages.</summary>
    public static string Of(int contract, int added = 0)
    {
        var text = new StringBuilder(SampleContracts.Usings).Append(CultureInfo.InvariantCulture, $"namespace Plant.Area{contract % 20};\n\n").Append(Contract).Append("\n\n");
        for (int message = 0; message < Messages; message++) Append(text, contract, message, message == Plain ? added : 0);
        return text.Replace("@", contract.ToString(CultureInfo.InvariantCulture)).ToString();
    }

    private static void Append(StringBuilder text, int contract, int message, int added)
    {
        bool isPlain = message < Plain;
        var types = isPlain ? s_plainTypes : s_types;
        int count = (isPlain ? 4 : 8) + ((contract * 5 + message * 7) % 9) + added;
        bool isRecord = message % 5 == 4;
        text.Append(CultureInfo.InvariantCulture, $"[DataContract]\npublic sealed {(isRecord ? "record" : "class")} M@x{message}").Append(isRecord ? "(\n" : "\n{\n");
        for (int i = 0; i < count; i++)
        {
            var type = types[(contract * 3 + message * 11 + i) % types.Length];
            var number = (i + 1).ToString(CultureInfo.InvariantCulture);
            if (isRecord) text.Append($"    [property: DataMember(Order = {number})] {type} Member{number}").Append(i + 1 < count ? ",\n" : ");\n\n");
            else text.Append($"    [DataMember(Order = {number})] public {type} Member{number} {{ get; set; }}{Initial(type)}\n");
        }

        if (!isRecord) text.Append("}\n\n");
    }

    private static string Initial(string type) =>
        type == "string" ? " = \"\";" : type.EndsWith("[]", StringComparison.Ordinal) ? " = [];" : type.Contains('<', StringComparison.Ordinal) ? " = new();" : string.Empty;
}
