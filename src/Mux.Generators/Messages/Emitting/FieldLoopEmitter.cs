using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;
using Mux.Generators.Text;
using Mux.Protobuf;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Emits the loop that reads fields into a target: first with the cursor, which reads fields in the expected order and form, then with the reader for the
/// expected tags. All other tags are read in a separate method, so that the loop stays small.
/// </summary>
/// <param name="writer">Receives the code.</param>
/// <param name="message">The message.</param>
/// <param name="members">Members to read; all others are skipped.</param>
/// <param name="access">Access to the members.</param>
/// <param name="target">Variable to read into.</param>
/// <param name="targetType">Type of the variable.</param>
/// <param name="isByReference">True if it must be passed by reference.</param>
/// <param name="other">Name of the method for other tags.</param>
/// <param name="keepsUnknown">True if unknown fields are collected.</param>
internal sealed class FieldLoopEmitter(
    SourceWriter writer,
    MessageModel message,
    IReadOnlyList<MemberModel> members,
    MemberAccess access,
    string target,
    string targetType,
    bool isByReference,
    string other,
    bool keepsUnknown)
{
    /// <summary>Name of the struct that collects the items of all arrays of the message.</summary>
    public const string PartsType = "Parts";

    private static readonly WireType[] s_forms = [WireType.Varint, WireType.Fixed64, WireType.Bytes, WireType.StartGroup, WireType.Fixed32];

    private readonly MemberReadEmitter _members = new(writer, message, access);

    private readonly List<MemberModel> _joined = [.. members.Where(static member => member.IsJoined)];

    private readonly List<MemberModel> _fast = [.. members.Where(CursorCaseEmitter.Reads)];

    private string Modifier => isByReference ? "ref " : string.Empty;

    private bool HasParts => _joined.Count > 0 || keepsUnknown;

    // To protobuf a field with another wire type is unknown: only what the cursor leaves is read there.
    private bool HasOther => message.FollowsProtobuf ? _fast.Count > 0
        : message.Members.Count > 0 || message.Includes.Count > 0;

    private string Unknown => keepsUnknown ? $"{MemberReadEmitter.Parts}.{UnknownEmitter.Unknown}.Keep(ref reader, tag)" : PassedOver;

    // Fields that one of two passes leaves to the other are skipped at every level.
    private string PassedOver => members.Count < message.Members.Count ? "reader.PassOver(tag)" : "reader.Skip(tag)";

    /// <summary>Emits the loop and the label after it, which is the target at the end of a group.</summary>
    public void EmitLoop()
    {
        if (HasParts) writer.Line($"var {MemberReadEmitter.Parts} = default({PartsType});");
        if (_fast.Count > 0) EmitCursorLoop();
        else EmitReaderLoop();
        writer.Line("end:");
        foreach (var member in _joined) _members.EmitJoin(member);
    }

    /// <summary>Emits the method for known fields with another encoding, and for unknown fields.</summary>
    /// <param name="passedOver">Statement that notes members to be read later.</param>
    public void EmitOther(string? passedOver)
    {
        if (!HasOther) return;
        writer.Line();
        var parts = HasParts ? $", ref {PartsType} {MemberReadEmitter.Parts}" : string.Empty;
        writer.NotInlined();
        writer.Open($"private static bool {other}(ref MessageReader reader, uint tag, {Modifier}{targetType} {target}{parts})");
        writer.Line("// The end of this message may have the number of one of its fields.");
        writer.Line($"if ((tag & 7) == {(uint)WireType.EndGroup}) return reader.Skip(tag);");
        if (!HasOtherFields(passedOver))
        {
            writer.Line($"return {Unknown};");
            writer.Close();
            return;
        }

        if (message.FollowsProtobuf) EmitOtherForms();
        else EmitOtherFields(passedOver);
        writer.Label("default:");
        writer.Indented($"return {Unknown};");
        writer.Close();
        writer.Line("return true;");
        writer.Close();
    }

    private bool HasOtherFields(string? passedOver) =>
        message.FollowsProtobuf || passedOver is not null || message.Includes.Count > 0 || members.Any(static member => !IsReadInAnyForm(member));

    private void EmitOtherForms()
    {
        writer.Open("switch (tag)");
        foreach (var member in _fast)
        {
            writer.Label($"case {member.Tag}:");
            _members.Emit(member, $"{member.Tag}");
        }
    }

    private void EmitOtherFields(string? passedOver)
    {
        writer.Open("switch (tag >> 3)");
        foreach (var member in members.Where(static member => IsReadByTag(member) && !IsReadInAnyForm(member)))
        {
            writer.Label($"case {member.Number}:");
            _members.Emit(member, "tag");
        }

        var fixedForm = members.Where(static member => !IsReadByTag(member)).Select(static member => member.Number);
        EmitLabels(fixedForm.Concat(message.Includes.Select(static include => include.Number)), "reader.ThrowWireType(tag);", "break;");
        if (passedOver is not null) EmitLabels(message.Members.Without(members).Select(static member => member.Number), passedOver, $"return {PassedOver};");
    }

    // The value reader knows which other wire types are possible. Flat messages that the cursor leaves are read outside the loop: otherwise their reader would
    // be cleared at every start of the loop.
    private static bool IsReadByTag(MemberModel member) =>
        member.Value is NestedModel { IsReadInPlace: true } or ScalarModel or FrameworkModel or ConvertedModel { Surrogate: ScalarModel or FrameworkModel }
            || member is { IsRepeated: false, Value: TextModel };

    // The loop has labels for each wire type of a list of numbers, and so its code once.
    private static bool IsReadInAnyForm(MemberModel member) => member is { IsRepeated: true, Value: ScalarModel { FollowsProtobuf: false } };

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
        HierarchyEmitter.EmitCases(writer, message.Includes);
        writer.Label("default:");
        writer.Indented(EndUnlessOther());
        writer.Indented("break;");
        writer.Close();
    }

    private string EndUnlessOther()
    {
        var parts = HasParts ? $", ref {MemberReadEmitter.Parts}" : string.Empty;
        var rest = !HasOther ? Unknown : $"{other}(ref reader, tag, {Modifier}{target}{parts})";
        return $"if (!{rest}) goto end;";
    }

    private void EmitCursorLoop()
    {
        writer.Line("var at = reader.BeginFields();");
        writer.Open("while (at.HasMore)");
        writer.Open("switch (at.Tag)");
        new CursorCaseEmitter(writer, access).Emit(_fast);
        writer.Label("default:");
        writer.Open();
        writer.Line("uint tag = reader.ReadTag(at);");
        if (_fast.Count < members.Count || message.Includes.Count > 0) EmitReaderSwitch(members.Without(_fast));
        else writer.Line(EndUnlessOther());
        writer.Line("at = reader.BeginFields();");
        writer.Line("break;");
        writer.Close();
        writer.Close();
        writer.Close();
        writer.Line("reader.EndFields();");
    }

    private void EmitLabels(IEnumerable<int> labelled, params string[] statements)
    {
        bool isUsed = false;
        foreach (int number in labelled)
        {
            writer.Label($"case {number}:");
            isUsed = true;
        }

        if (!isUsed) return;
        foreach (var statement in statements) writer.Indented(statement);
    }

    private void EmitExpected(MemberModel member)
    {
        uint block = member.TagOf(WireType.Bytes);
        if (member.CopiesBlocks)
        {
            writer.Label($"case {block}:");
            _members.EmitPacked(member);
        }

        if (IsReadInAnyForm(member))
        {
            var forms = s_forms.Select(member.TagOf).Where(tag => tag != block || !member.CopiesBlocks);
            writer.Label(string.Join(" ", forms.Select(static tag => $"case {tag}:")));
        }
        else if (member.CopiesBlocks)
        {
            writer.Label($"case {member.Tag}:");
        }
        else if (member is { IsRepeated: true, Value: ScalarModel })
        {
            writer.Label($"case {member.Tag}:");
            writer.Label($"case {block}:");
        }
        else if (member.Value is NestedModel or EnvelopeModel && !message.FollowsProtobuf)
        {
            writer.Label($"case {block}:");
            writer.Label($"case {member.TagOf(WireType.StartGroup)}:");
        }
        else
        {
            writer.Label($"case {member.Tag}:");
        }

        _members.Emit(member, member.IsRepeated ? "tag" : $"{member.Tag}");
    }
}
