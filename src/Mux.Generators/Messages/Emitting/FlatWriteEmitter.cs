using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits code that writes flat messages into the open run of fields of the message around them.</summary>
internal static class FlatWriteEmitter
{
    private const string Fields = "WriteFields";

    // The length starts as one byte.
    private const int LengthSize = 1;

    /// <summary>True if a member is a flat message or holds several.</summary>
    public static bool IsFlat(MemberModel member) => member.Value is NestedModel { IsWrittenInRun: true };

    /// <summary>Emits the method for a flat message by itself.</summary>
    public static void EmitEntry(SourceWriter writer, MessageModel message)
    {
        writer.Open($"internal static void Write(ref MessageWriter writer, {message.TypeName} value)");
        int size = FlatMessages.ShortSizeOf(message);
        writer.Line($"writer.EndFields({Fields}({(size > 0 ? string.Empty : "ref writer, ")}writer.BeginFields({size}), value));");
        writer.Close();
        writer.Line();
    }

    /// <summary>
    /// Gets the declaration of the method that writes the fields to a run and returns the run. For short messages the run has room for all fields, and no
    /// writer is needed.
    /// </summary>
    public static string Signature(MessageModel message) =>
        $"internal static FieldRun {Fields}({(FlatMessages.ShortSizeOf(message) > 0 ? string.Empty : "scoped ref MessageWriter writer, ")}FieldRun run, " +
            $"{message.TypeName} value)";

    /// <summary>Emits the statements that write a message, inside a block of the caller.</summary>
    /// <param name="writer">Receives the code.</param>
    /// <param name="member">The member.</param>
    /// <param name="expression">C# expression of the message, which is not null.</param>
    public static void Emit(SourceWriter writer, MemberModel member, string expression)
    {
        var nested = (NestedModel)member.Value;
        if (nested.ShortSize > 0)
        {
            int size = member.TagSize + LengthSize + nested.ShortSize;
            writer.Line($"if (!run.HasRoom({size})) run = writer.Continue(run, {size});");
            writer.Line($"ref byte start{member.Number} = ref writer.BeginShortMessage(ref run, {member.Tag}, \"{nested.DisplayName}\");");
            writer.Line($"run = {nested.Codec}.{Fields}(run, {expression});");
            writer.Line($"run.EndShortMessage(ref start{member.Number});");
            return;
        }

        writer.Line($"int mark{member.Number} = writer.BeginMessage(ref run, {member.Tag}, \"{nested.DisplayName}\");");
        writer.Line($"run = {nested.Codec}.{Fields}(ref writer, run, {expression});");
        writer.Line($"run = writer.EndMessage(run, mark{member.Number});");
    }
}
