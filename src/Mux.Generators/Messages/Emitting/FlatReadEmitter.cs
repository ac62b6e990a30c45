using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Emits methods that read a flat message with a cursor. As long as its fields arrive in the expected form, it needs no reader, alone or inside another
/// message. A reader then continues where the cursor has stopped.
/// </summary>
/// <param name="writer">Receives the code.</param>
/// <param name="message">The message.</param>
/// <param name="access">Access to its members.</param>
internal sealed class FlatReadEmitter(SourceWriter writer, MessageModel message, MemberAccess access)
{
    /// <summary>Name of the method that reads fields in the expected form.</summary>
    public const string Fields = "ReadFields";

    /// <summary>Name of the method that continues from there.</summary>
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
        writer.Label("default:");
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
