using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Describing;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Writes the classes that describe imported types. Nothing calls them until a program asks for a description.</summary>
internal static class DescriberEmitter
{
    public const string FileName = "Imports.Descriptions.g.cs";

    public static SourceText Emit(EquatableArray<ImportedPart> parts, string assembly)
    {
        var writer = SourceWriter.ForFile(assembly);
        foreach (var part in parts)
        {
            writer.InternalCode();
            writer.Open($"internal static class {part.Describer}");
            writer.Open("internal static void Describe(ContractDescription description)");
            writer.Line($"if (!description.{part.Part.Add}(\"{part.Part.Package}\", {DescriptorLiteral.Of(part.Part.Descriptor)})) return;");
            foreach (var target in part.Targets) writer.Line($"{target}.Describe(description);");
            writer.Close();
            writer.Close();
            writer.Line();
        }

        return writer.ToText();
    }
}
