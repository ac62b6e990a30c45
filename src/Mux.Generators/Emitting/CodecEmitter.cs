using Mux.Generators.Models;

namespace Mux.Generators.Emitting;

/// <summary>Emits the class that reads and writes one message.</summary>
internal static class CodecEmitter
{
    public static string EmitFile(MessageModel message, string assembly)
    {
        var writer = SourceWriter.ForFile(assembly);
        Emit(writer, message);
        return writer.ToString();
    }

    public static void Emit(SourceWriter writer, MessageModel message)
    {
        writer.Line($"/// <summary>Reads and writes {Xml(message.DisplayName)}.</summary>");
        writer.GeneratedCode();
        writer.Open($"internal static class {message.Codec}");
        var names = string.Join(", ", message.Members.Select(static member => $"{member.Number} {member.Name}"));
        writer.Line($"internal const string Schema = \"{message.DisplayName}({names})\";");
        writer.Line();
        new WriteEmitter(writer, message).Emit();
        writer.Line();
        new ReadEmitter(writer, message).Emit();
        AccessorEmitter.Emit(writer, message);
        writer.Close();
    }

    private static string Xml(string text) => text.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;");
}
