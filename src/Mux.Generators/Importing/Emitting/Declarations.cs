using Mux.Description.Proto;
using Mux.Generators.Text;

namespace Mux.Generators.Importing.Emitting;

/// <summary>Writes what all declarations have: documentation, and the name in protobuf.</summary>
internal static class Declarations
{
    /// <summary>Writes the comment of an element as documentation.</summary>
    public static void Document(SourceWriter writer, ProtoElement element, params string[] more)
    {
        var lines = (element.Comment?.Split('\n') ?? []).Concat(more).Select(static line => line.Trim('\r', ' ', '\t')).ToList();
        if (lines.Count > 0)
        {
            writer.Line("/// <summary>");
            foreach (var line in lines) writer.Line("/// " + Escape(line));
            writer.Line("/// </summary>");
        }

        if (element.IsDeprecated) writer.Line("[global::System.Obsolete(\"The .proto file marks it as deprecated.\")]");
    }

    /// <summary>Writes the attribute with the name in protobuf.</summary>
    public static void Mark(SourceWriter writer, ProtoElement type, ProtoFile file) =>
        writer.Line($"[global::Mux.MuxProto(\"{file.Package}\", \"{file.NameInPackage(type)}\")]");

    // A line of a comment must stay one: other characters end a line of C#, too.
    private static string Escape(string text) => new string([.. text.Select(static c => char.IsControl(c) || c is '\u2028' or '\u2029' ? ' ' : c)])
        .Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;");
}
