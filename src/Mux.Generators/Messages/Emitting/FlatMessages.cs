using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Finds the flat messages, which hold only numbers and strings, and marks the members that hold them. They are written in the run of fields of the message
/// around them and read by its cursor, without their own writer or reader. Most items of lists are flat messages.
/// </summary>
internal static class FlatMessages
{
    private const int LengthOfTwoBytes = 128;

    /// <summary>True if a cursor reads the message as long as its fields arrive in the expected form.</summary>
    public static bool IsReadByCursor(MessageModel message) =>
        IsPlain(message) && message is { IsStruct: false, Construction: Construction.New }
            && message.Members.All(static member => FastRead.Of(member) is not null);

    /// <summary>Maximum size of a flat message whose length always fits one byte; otherwise 0.</summary>
    public static int ShortSizeOf(MessageModel message)
    {
        if (message.Members.Any(static member => member.Value.MaxSize == 0)) return 0;
        int size = message.Members.Sum(static member => member.TagSize + member.Value.MaxSize);
        return size < LengthOfTwoBytes ? size : 0;
    }

    /// <summary>Marks members whose content is flat, and messages that are the content of such a member.</summary>
    public static EquatableArray<MessageModel> Mark(EquatableArray<MessageModel> messages)
    {
        var writable = messages.Where(IsWritable).ToDictionary(static message => message.Codec, ShortSizeOf, StringComparer.Ordinal);
        var readable = CodecsOf(messages.Where(IsReadByCursor));
        var written = new HashSet<string>(StringComparer.Ordinal);
        var read = new HashSet<string>(StringComparer.Ordinal);
        var marked = messages.Select(message => message with { Members = new([.. message.Members.Select(MarkMember)]) }).ToList();
        return new([.. marked.Select(message =>
            message with { IsWrittenInRuns = written.Contains(message.Codec), IsReadInPlace = read.Contains(message.Codec) })]);

        MemberModel MarkMember(MemberModel member)
        {
            if (member.Value is not NestedModel { IsGroup: false } value) return member;
            bool isWrittenInRun = writable.TryGetValue(value.Codec, out int shortSize);
            bool isReadInPlace = readable.Contains(value.Codec) && CanHoldInPlace(member);
            if (isWrittenInRun) written.Add(value.Codec);
            if (isReadInPlace) read.Add(value.Codec);
            return member with { Value = value with { IsWrittenInRun = isWrittenInRun, ShortSize = shortSize, IsReadInPlace = isReadInPlace } };
        }
    }

    private static HashSet<string> CodecsOf(IEnumerable<MessageModel> messages) =>
        new(messages.Select(static message => message.Codec), StringComparer.Ordinal);

    private static bool IsWritable(MessageModel message) =>
        IsPlain(message) && message.Members.All(static member => !member.IsRepeated && (member.Value is TextModel || member.Value.MaxSize > 0));

    private static bool IsPlain(MessageModel message) =>
        message is { IsWrapper: false, Members.Count: > 0, Hierarchy: null, Surrogate: null, Callbacks.Count: 0, KeepsUnknown: false };

    private static bool CanHoldInPlace(MemberModel member) =>
        member is { Overwrites: false, Container: Container.Single or Container.List or Container.Array } && member.Write != WriteAccess.InPlace
            && FastRead.IsSeen(member);
}
