using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Emits what reads a flat message by a cursor: as far as its fields come as they should there is no reader for it, whether it stands alone or in another
/// message. What comes otherwise is read by a reader that begins where the cursor has stopped.
/// </summary>
/// <param name="writer">Receives the code.</param>
/// <param name="message">The message.</param>
/// <param name="access">How its members are set.</param>
internal sealed class FlatReadEmitter(SourceWriter writer, MessageModel message, MemberAccess access)
{
    /// <summary>The method that reads as far as the fields come as they should.</summary>
    public const string Fields = "ReadFields";

    /// <summary>The method that reads on from there.</summary>
    public const string Rest = "ReadOn";

    public void Emit()
    {
        EmitRead();
        EmitWhole();
        EmitFields();
        if (message.IsReadInPlace) EmitRestInPlace();
        new FieldLoopEmitter(writer, message, [.. message.Members], access, "value", message.TypeName, isByReference: false, "ReadOther", keepsUnknown: false)
            .EmitOther(passedOver: null);
    }

    private void EmitRead()
    {
        writer.Open($"internal static {message.TypeName} Read(ref MessageReader reader, {message.TypeName}? value)");
        writer.Line($"value ??= {ReadEmitter.CreationOf(message)};");
        writer.Line("var at = reader.BeginFields();");
        writer.Open($"while ((at = {Fields}(at, value)).HasMore)");
        writer.Line("uint tag = reader.ReadTag(at);");
        writer.Line("if (!ReadOther(ref reader, tag, value)) return value;");
        writer.Line("at = reader.BeginFields();");
        writer.Close();
        writer.Line();
        writer.Line("reader.EndFields();");
        writer.Line("return value;");
        writer.Close();
        writer.Line();
    }

    private void EmitWhole()
    {
        writer.Open($"internal static {message.TypeName} Read(global::System.ReadOnlySpan<byte> bytes)");
        writer.Line($"var value = {ReadEmitter.CreationOf(message)};");
        writer.Line($"var at = {Fields}(FieldDecoder.BeginFields(bytes), value);");
        writer.Line($"if (at.HasMore) {Rest}(bytes, at, value);");
        writer.Line("return value;");
        writer.Close();
        writer.Line();
        writer.NotInlined();
        writer.Open($"private static void {Rest}(global::System.ReadOnlySpan<byte> bytes, FieldCursor at, {message.TypeName} value)");
        writer.Line("var reader = new MessageReader(bytes, Schema);");
        writer.Line("reader.MoveTo(at);");
        writer.Line("Read(ref reader, value);");
        writer.Close();
        writer.Line();
    }

    private void EmitFields()
    {
        writer.Open($"internal static FieldCursor {Fields}(FieldCursor at, {message.TypeName} value)");
        writer.Open("while (at.HasMore)");
        writer.Open("switch (at.Tag)");
        new CursorCaseEmitter(writer, access).Emit([.. message.Members]);
        writer.Line("default:");
        writer.Indented("return at;");
        writer.Close();
        writer.Close();
        writer.Line();
        writer.Line("return at;");
        writer.Close();
    }

    private void EmitRestInPlace()
    {
        writer.Line();
        writer.NotInlined();
        writer.Open($"internal static FieldCursor {Rest}(ref MessageReader reader, scoped FieldCursor at, scoped FieldCursor content, " +
            $"{message.TypeName} value)");
        writer.Line("var child = reader.Enter(reader.ReadTag(at), Schema);");
        writer.Line("child.MoveTo(content);");
        writer.Line("Read(ref child, value);");
        writer.Line("reader.Leave(in child);");
        writer.Line("return reader.BeginFields();");
        writer.Close();
    }
}
