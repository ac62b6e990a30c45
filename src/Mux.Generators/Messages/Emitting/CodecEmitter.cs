using Microsoft.CodeAnalysis.Text;
using Mux.Generators.Contracts.Emitting;
using Mux.Generators.Describing;
using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the classes that read and write messages.</summary>
internal static class CodecEmitter
{
    // An added message moves all files that follow, and the driver of generators compares files by their place.
    private static readonly LastMade<MessageModel, EmittedFile> s_emitted = new();

    public static SourceText EmitFile(CodecFile file, string assembly)
    {
        if (s_emitted.Of(file.Messages[0]) is { } last && last.File == file && last.Assembly == assembly) return last.Text;
        return s_emitted.Keep(file.Messages[0], new(file, assembly, Emit(file, assembly))).Text;
    }

    private static SourceText Emit(CodecFile file, string assembly)
    {
        var writer = SourceWriter.ForFile(assembly);
        for (int i = 0; i < file.Messages.Count; i++)
        {
            if (i > 0) writer.Line();
            writer.Line($"/// <summary>Reads and writes {Xml(file.Messages[i].DisplayName)}.</summary>");
            writer.InternalCode();
            Emit(writer, file.Messages[i]);
        }

        return writer.ToText();
    }

    /// <summary>Emits the class itself, also inside another, whose attributes hold for it.</summary>
    /// <param name="writer">Receives the code.</param>
    /// <param name="message">The message.</param>
    /// <param name="emitMore">Emits further members of the class.</param>
    public static void Emit(SourceWriter writer, MessageModel message, Action? emitMore = null)
    {
        writer.Open($"internal static class {message.Codec}");
        if (message.Surrogate is { } surrogate)
        {
            SurrogateEmitter.Emit(writer, message, surrogate);
            if (surrogate.Codec is not null) EmitWhole(writer, message);
            writer.Close();
            return;
        }

        var schema = message.Hierarchy is { IsRoot: false } ? HierarchyEmitter.PartSchema : "Schema";
        // A constant would be in the assembly twice.
        writer.Line($"internal static string {schema} => \"{SchemaOf(message)}\";");
        writer.Line();
        CallbackEmitter.EmitContext(writer, message);
        if (message.Hierarchy is { } hierarchy) HierarchyEmitter.Emit(writer, message, hierarchy);
        new WriteEmitter(writer, message).Emit();
        writer.Line();
        new ReadEmitter(writer, message).Emit();
        EmitWhole(writer, message);
        AccessorEmitter.Emit(writer, message);
        DescriptionEmitter.EmitMessage(writer, message.Description);
        new EnvelopeEmitter(writer).EmitTypes(message);
        emitMore?.Invoke();
        writer.Close();
    }

    /// <summary>Gets the name of a message with its fields, for errors: with their numbers, unless they follow each other.</summary>
    public static string SchemaOf(MessageModel message)
    {
        var fields = message.Members.Select(static member => (member.Number, member.Name))
            .Concat(message.Includes.Select(static include => (include.Number, include.Name)));
        var names = new List<string>();
        int last = 0;
        foreach (var (number, name) in fields.OrderBy(static field => field.Number))
        {
            names.Add(number == last + 1 ? name : $"{number} {name}");
            last = number;
        }

        return $"{message.DisplayName}({string.Join(",", names)})";
    }

    // For a message that is sent by itself. Flat messages have a shorter way.
    private static void EmitWhole(SourceWriter writer, MessageModel message)
    {
        if (message.IsStruct || message.IsWrapper || FlatMessages.IsReadByCursor(message)) return;
        writer.Line();
        writer.NotInlined();
        writer.Open($"internal static {message.TypeName} Read(global::System.ReadOnlySpan<byte> bytes)");
        writer.Line("var reader = new MessageReader(bytes, Schema);");
        writer.Line("return Read(ref reader, null);");
        writer.Close();
    }

    private sealed record EmittedFile(CodecFile File, string Assembly, SourceText Text);

    private static string Xml(string text) => text.Replace("&", "&amp;").Replace("<", "&lt;").Replace(">", "&gt;");
}
