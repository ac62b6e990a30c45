using Mux.Generators.Models;

namespace Mux.Generators.Emitting;

/// <summary>
/// Finds the flat messages, those of numbers and texts alone, and tells the members that hold them: they are written in the run of fields that is open around
/// them, and read by the cursor that is there, without a writer or reader of their own. Most items of lists are such messages.
/// </summary>
internal static class FlatMessages
{
    /// <summary>Whether a message is read by a cursor as far as its fields come as they should.</summary>
    public static bool IsReadByCursor(MessageModel message) =>
        IsPlain(message) && message is { IsStruct: false, Construction: Construction.New } && message.Members.All(static member => FastRead.Of(member) is not null);

    /// <summary>Notes at every member whether what it holds is flat, and at every message whether a member holds it so.</summary>
    public static EquatableArray<MessageModel> Mark(EquatableArray<MessageModel> messages)
    {
        var writable = CodecsOf(messages.Where(IsWritable));
        var readable = CodecsOf(messages.Where(IsReadByCursor));
        var written = new HashSet<string>(StringComparer.Ordinal);
        var read = new HashSet<string>(StringComparer.Ordinal);
        var marked = messages.Select(message => message with { Members = new([.. message.Members.Select(MarkMember)]) }).ToList();
        return new([.. marked.Select(message => message with { IsWrittenInRuns = written.Contains(message.Codec), IsReadInPlace = read.Contains(message.Codec) })]);

        MemberModel MarkMember(MemberModel member)
        {
            if (member.Value is not NestedModel { IsGroup: false } value) return member;
            bool isWrittenInRun = writable.Contains(value.Codec);
            bool isReadInPlace = readable.Contains(value.Codec) && CanHoldInPlace(member);
            if (isWrittenInRun) written.Add(value.Codec);
            if (isReadInPlace) read.Add(value.Codec);
            return member with { Value = value with { IsWrittenInRun = isWrittenInRun, IsReadInPlace = isReadInPlace } };
        }
    }

    private static HashSet<string> CodecsOf(IEnumerable<MessageModel> messages) => new(messages.Select(static message => message.Codec), StringComparer.Ordinal);

    private static bool IsWritable(MessageModel message) =>
        IsPlain(message) && message.Members.All(static member => !member.IsRepeated && (member.Value is TextModel || member.Value.MaxSize > 0));

    private static bool IsPlain(MessageModel message) =>
        message is { IsWrapper: false, Members.Count: > 0, Hierarchy: null, Surrogate: null, Callbacks.Count: 0, KeepsUnknown: false };

    private static bool CanHoldInPlace(MemberModel member) =>
        member is { Overwrites: false, Container: Container.Single or Container.List or Container.Array } && member.Write != WriteAccess.InPlace && FastRead.IsSeen(member);
}
