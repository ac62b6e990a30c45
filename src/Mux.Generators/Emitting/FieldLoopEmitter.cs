using Mux.Generators.Models;
using Mux.Serialization;

namespace Mux.Generators.Emitting;

/// <summary>
/// Emits the loop that reads fields into a target, with the tags that are expected, and beside it the method for every other tag, so that
/// the loop stays small.
/// </summary>
/// <param name="writer">Receives the code.</param>
/// <param name="message">The message.</param>
/// <param name="members">The members that are read here; all others are passed over.</param>
/// <param name="access">How members are read and written.</param>
/// <param name="target">The variable that is read into.</param>
/// <param name="targetType">Its type.</param>
/// <param name="isByReference">Whether it must be handed on by reference.</param>
/// <param name="other">The name of the method for other tags.</param>
internal sealed class FieldLoopEmitter(
    SourceWriter writer,
    MessageModel message,
    IReadOnlyList<MemberModel> members,
    MemberAccess access,
    string target,
    string targetType,
    bool isByReference,
    string other)
{
    /// <summary>The struct that collects the items of all arrays of the message.</summary>
    public const string PartsType = "Parts";

    private readonly MemberReadEmitter _members = new(writer, message, access);

    private readonly List<MemberModel> _joined = [.. members.Where(static member => member.IsJoined)];

    private string Modifier => isByReference ? "ref " : string.Empty;

    /// <summary>Emits the loop and the label behind it, to which the end of a group jumps.</summary>
    public void EmitLoop()
    {
        if (_joined.Count > 0) writer.Line($"var {MemberReadEmitter.Parts} = default({PartsType});");
        writer.Line("uint tag;");
        writer.Open("while ((tag = reader.ReadTag()) != 0)");
        writer.Open("switch (tag)");
        foreach (var member in members) EmitExpected(member);
        writer.Line("default:");
        var rest = message.Members.Count == 0 ? "reader.Skip(tag)" : $"{other}(ref reader, tag, {Modifier}{target}{(_joined.Count > 0 ? $", ref {MemberReadEmitter.Parts}" : string.Empty)})";
        writer.Indented($"if (!{rest}) goto end;");
        writer.Indented("break;");
        writer.Close();
        writer.Close();
        writer.Line();
        writer.Line("end:");
        foreach (var member in _joined) _members.EmitJoin(member);
    }

    /// <summary>Emits the method for known fields that are written in another way, and for fields that are not known.</summary>
    /// <param name="passedOver">For members that are read later, the statement that notes them.</param>
    public void EmitOther(string? passedOver)
    {
        if (message.Members.Count == 0) return;
        writer.Line();
        var parts = _joined.Count > 0 ? $", ref {PartsType} {MemberReadEmitter.Parts}" : string.Empty;
        writer.Open($"private static bool {other}(ref MessageReader reader, uint tag, {Modifier}{targetType} {target}{parts})");
        writer.Line("// The end of this message may have the number of one of its fields.");
        writer.Line($"if ((tag & 7) == {(uint)WireType.EndGroup}) return reader.Skip(tag);");
        writer.Open("switch (tag >> 3)");
        foreach (var member in members.Where(static member => member.Value is ScalarModel))
        {
            writer.Line($"case {member.Number}:");
            _members.Emit(member, "tag");
        }

        EmitLabels(members.Where(static member => member.Value is not ScalarModel), "reader.ThrowWireType(tag);", "break;");
        if (passedOver is not null) EmitLabels(message.Members.Except(members), passedOver, "return reader.Skip(tag);");
        writer.Line("default:");
        writer.Indented("return reader.Skip(tag);");
        writer.Close();
        writer.Line();
        writer.Line("return true;");
        writer.Close();
    }

    private void EmitLabels(IEnumerable<MemberModel> labelled, params string[] statements)
    {
        bool isUsed = false;
        foreach (var member in labelled)
        {
            writer.Line($"case {member.Number}:");
            isUsed = true;
        }

        if (!isUsed) return;
        foreach (var statement in statements) writer.Indented(statement);
    }

    private void EmitExpected(MemberModel member)
    {
        uint block = member.TagOf(WireType.Bytes);
        if (member is { IsRepeated: true, Value: ScalarModel { IsBlittable: true } })
        {
            writer.Line($"case {block}:");
            _members.EmitPacked(member);
            writer.Line($"case {member.Tag}:");
        }
        else if (member is { IsRepeated: true, Value: ScalarModel })
        {
            writer.Line($"case {member.Tag}:");
            writer.Line($"case {block}:");
        }
        else if (member.Value is NestedModel)
        {
            writer.Line($"case {block}:");
            writer.Line($"case {member.TagOf(WireType.StartGroup)}:");
        }
        else
        {
            writer.Line($"case {member.Tag}:");
        }

        _members.Emit(member, member.IsRepeated ? "tag" : $"{member.Tag}");
    }
}
