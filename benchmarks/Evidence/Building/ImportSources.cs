using System.Globalization;
using System.Text;

namespace Evidence.Building;

/// <summary>The sources of a large project whose messages are those of .proto files, and which has one contract in C# that names them.</summary>
internal static class ImportSources
{
    private static readonly string[] s_types = ["int32", "string", "repeated int32", "bool", "double", "int64", "repeated string", "bytes", "map<string, int32>", "uint32"];

    /// <summary>One file with as many messages as a contract of <see cref="ScaleSources"/> has, and so many fields more in one of them.</summary>
    public static string Of(int file, int added = 0)
    {
        var text = new StringBuilder("syntax = \"proto3\";\npackage plant.parts").Append(file).Append(";\n\n");
        for (int message = 0; message < ScaleSources.Messages; message++)
        {
            int count = 8 + ((file * 5 + message * 7) % 9) + (message == 0 ? added : 0);
            text.Append(CultureInfo.InvariantCulture, $"message Part{message} {{\n");
            for (int i = 1; i <= count; i++) text.Append(CultureInfo.InvariantCulture, $"  {s_types[(file + message * 3 + i) % s_types.Length]} member{i} = {i};\n");
            if (message > 0) text.Append(CultureInfo.InvariantCulture, $"  Part{message - 1} before = {count + 1};\n");
            text.Append("}\n\n");
        }

        return text.ToString();
    }

    /// <summary>The contract, with so many methods more.</summary>
    public static string Contract(int added)
    {
        var text = new StringBuilder(SampleContracts.Usings).Append("namespace Plant;\n\n[MuxService(\"plant.Depot\")]\npublic interface IDepot\n{\n");
        for (int i = 0; i <= added; i++)
            text.Append(CultureInfo.InvariantCulture, $"    ValueTask<Plant.Parts0.Part3> Find{i}Async(Plant.Parts1.Part4 request, CancellationToken cancellationToken = default);\n");
        return text.Append("}\n").ToString();
    }
}
