using Mux.Generators.Models;
using Mux.Serialization;

namespace Mux.Generators.Emitting;

/// <summary>
/// Emits the loop that reads fields into a target: first by the cursor, which knows the fields that come as they should and goes from each
/// straight to the one behind it; then by the reader, with the tags that are expected; and beside the loop the method for every other tag,
/// so that the loop stays small.
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

    private readonly List<MemberModel> _fast = [.. members.Where(static member => FastRead.Of(member) is not null)];

    private string Modifier => isByReference ? "ref " : string.Empty;

    /// <summary>Emits the loop and the label behind it, to which the end of a group jumps.</summary>
    public void EmitLoop()
    {
        if (_joined.Count > 0) writer.Line($"var {MemberReadEmitter.Parts} = default({PartsType});");
        if (_fast.Count > 0) EmitCursorLoop();
        else EmitReaderLoop();
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
        foreach (var member in members.Where(IsReadByTag))
        {
            writer.Line($"case {member.Number}:");
            _members.Emit(member, "tag");
        }

        EmitLabels(members.Where(static member => !IsReadByTag(member)), "reader.ThrowWireType(tag);", "break;");
        if (passedOver is not null) EmitLabels(message.Members.Except(members), passedOver, "return reader.Skip(tag);");
        writer.Line("default:");
        writer.Indented("return reader.Skip(tag);");
        writer.Close();
        writer.Line();
        writer.Line("return true;");
        writer.Close();
    }

    // What other wire types there may be is known where the value is read.
    private static bool IsReadByTag(MemberModel member) => member.Value is ScalarModel || member is { IsRepeated: false, Value: TextModel };

    private void EmitReaderLoop()
    {
        writer.Line("uint tag;");
        writer.Open("while ((tag = reader.ReadTag()) != 0)");
        EmitReaderSwitch(members);
        writer.Close();
    }

    private void EmitReaderSwitch(IEnumerable<MemberModel> expected)
    {
        writer.Open("switch (tag)");
        foreach (var member in expected) EmitExpected(member);
        writer.Line("default:");
        writer.Indented(EndUnlessOther());
        writer.Indented("break;");
        writer.Close();
    }

    private string EndUnlessOther()
    {
        var parts = _joined.Count > 0 ? $", ref {MemberReadEmitter.Parts}" : string.Empty;
        var rest = message.Members.Count == 0 ? "reader.Skip(tag)" : $"{other}(ref reader, tag, {Modifier}{target}{parts})";
        return $"if (!{rest}) goto end;";
    }

    private void EmitCursorLoop()
    {
        writer.Line("var at = reader.BeginFields();");
        writer.Open("while (at.HasMore)");
        writer.Open("switch (at.Tag)");
        for (int i = 0; i < _fast.Count; i++) EmitFast(_fast[i], i + 1 < _fast.Count ? _fast[i + 1] : null);
        writer.Line("default:");
        writer.Open();
        writer.Line("uint tag = reader.ReadTag(at);");
        if (_fast.Count < members.Count) EmitReaderSwitch(members.Except(_fast));
        else writer.Line(EndUnlessOther());
        writer.Line("at = reader.BeginFields();");
        writer.Line("break;");
        writer.Close();
        writer.Close();
        writer.Close();
        writer.Line();
        writer.Line("reader.EndFields();");
    }

    private void EmitFast(MemberModel member, MemberModel? next)
    {
        var read = FastRead.Of(member)!;
        var local = $"field{member.Number}";
        writer.Line($"case {member.Tag}:");
        writer.Indented($"if (!at.{read.Method}({member.Tag}, out {read.Type} {local})) goto default;");
        writer.Indented(access.Set(member, read.Value(local)));
        if (next is not null) writer.Indented($"if (at.IsAt({next.Tag})) goto case {next.Tag};");
        writer.Indented("break;");
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
