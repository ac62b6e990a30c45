using Mux.Generators.Text;

namespace Mux.Generators.Describing;

/// <summary>
/// Emits the method that adds the description of a codec's message, or of a contract. Nothing calls it until a program asks for a description.
/// </summary>
internal static class DescriptionEmitter
{
    /// <summary>Emits the method of a codec: a message is added once, and so are those that it names.</summary>
    public static void EmitMessage(SourceWriter writer, DescriptionModel? description)
    {
        if (description is null) return;
        writer.Line();
        writer.Open("internal static void Describe(ContractDescription description)");
        if (description.Parts.Count > 0) writer.Line($"if (!{CallOf(description.Parts[0])}) return;");
        EmitRest(writer, description, from: 1);
    }

    /// <summary>Emits the method of a contract.</summary>
    public static void EmitService(SourceWriter writer, DescriptionModel? description)
    {
        if (description is null) return;
        writer.Line();
        writer.Open("public override void Describe(ContractDescription description)");
        EmitRest(writer, description, from: 0);
    }

    private static void EmitRest(SourceWriter writer, DescriptionModel description, int from)
    {
        foreach (var part in description.Parts.Skip(from)) writer.Line($"{CallOf(part)};");
        foreach (var codec in description.Codecs) writer.Line($"{codec}.Describe(description);");
        writer.Close();
    }

    private static string CallOf(PartModel part) => $"description.{part.Add}(\"{part.Package}\", {DescriptorLiteral.Of(part.Descriptor)})";
}
