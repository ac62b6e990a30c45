using System.Collections.Immutable;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Finds the flat messages, which hold only numbers and strings, and marks the members that hold them. They are written in the run of fields of the message
/// around them and read by its cursor, without their own writer or reader. Most items of lists are flat messages.
/// </summary>
internal static class FlatMessages
{
    private const int LengthOfTwoBytes = 128;

    private static readonly LastMade<MessageModel, Flatness> s_flatness = new();
    private static readonly LastMade<MessageModel, Marked> s_marked = new();

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
        var known = messages.ToDictionary(static message => message.Codec, FlatnessOf, StringComparer.Ordinal);
        var (written, read) = (new HashSet<string>(StringComparer.Ordinal), new HashSet<string>(StringComparer.Ordinal));
        foreach (var holder in known.Values)
        {
            foreach (var (_, codec, canHold) in holder.Nested)
            {
                if (!known.TryGetValue(codec, out var held)) continue;
                if (held.IsWritable) written.Add(codec);
                if (held.IsReadable && canHold) read.Add(codec);
            }
        }

        return new([.. messages.Select(message => Mark(message, known, written.Contains(message.Codec), read.Contains(message.Codec)))]);
    }

    private static MessageModel Mark(MessageModel message, Dictionary<string, Flatness> known, bool isWritten, bool isRead)
    {
        var nested = known[message.Codec].Nested;
        if (s_marked.Of(message) is { } last && last.IsWritten == isWritten && last.IsRead == isRead && HoldsFor(last)) return last.Made;
        var marks = ImmutableArray.CreateRange(nested, MarkOf);
        var members = message.Members.ToArray();
        for (int i = 0; i < nested.Length; i++)
        {
            ref var member = ref members[nested[i].Member];
            var (isWrittenInRun, shortSize, isReadInPlace) = marks[i];
            var value = (NestedModel)member.Value;
            value = value with { IsWrittenInRun = isWrittenInRun, ShortSize = shortSize, IsReadInPlace = isReadInPlace };
            member = member with { Value = value };
        }

        var made = message with { Members = new([.. members]), IsWrittenInRuns = isWritten, IsReadInPlace = isRead };
        return s_marked.Keep(message, new(isWritten, isRead, marks, made)).Made;

        bool HoldsFor(Marked other)
        {
            for (int i = 0; i < nested.Length; i++)
            {
                if (MarkOf(nested[i]) != other.Marks[i]) return false;
            }

            return true;
        }

        (bool IsWrittenInRun, int ShortSize, bool IsReadInPlace) MarkOf((int Member, string Codec, bool CanHold) member) =>
            known.TryGetValue(member.Codec, out var held)
                ? (held.IsWritable, held.IsWritable ? held.ShortSize : 0, held.IsReadable && member.CanHold) : default;
    }

    private static Flatness FlatnessOf(MessageModel message)
    {
        if (s_flatness.Of(message) is { } known) return known;
        var nested = ImmutableArray.CreateBuilder<(int, string, bool)>();
        for (int i = 0; i < message.Members.Count; i++)
        {
            if (message.Members[i] is { Value: NestedModel { IsGroup: false } value } member) nested.Add((i, value.Codec, CanHoldInPlace(member)));
        }

        bool isWritable = IsWritable(message);
        return s_flatness.Keep(message, new(isWritable, isWritable ? ShortSizeOf(message) : 0, IsReadByCursor(message), nested.ToImmutable()));
    }

    private static bool IsWritable(MessageModel message) =>
        IsPlain(message) && message.Members.All(static member => !member.IsRepeated && (member.Value is TextModel || member.Value.MaxSize > 0));

    private static bool IsPlain(MessageModel message) =>
        message is { IsWrapper: false, Members.Count: > 0, Hierarchy: null, Surrogate: null, Callbacks.Count: 0, KeepsUnknown: false };

    private static bool CanHoldInPlace(MemberModel member) =>
        member is { Overwrites: false, Container: Container.Single or Container.List or Container.Array } && member.Write != WriteAccess.InPlace
            && FastRead.IsSeen(member);

    /// <summary>What the marks of a message and of its holders are made of.</summary>
    /// <param name="IsWritable">True if it can be written in a run.</param>
    /// <param name="ShortSize">Maximum size if its length always fits one byte; otherwise 0.</param>
    /// <param name="IsReadable">True if a cursor can read it.</param>
    /// <param name="Nested">The members with a message, and whether they may hold it in place.</param>
    private sealed record Flatness(
        bool IsWritable, int ShortSize, bool IsReadable, ImmutableArray<(int Member, string Codec, bool CanHold)> Nested);

    private sealed record Marked(
        bool IsWritten, bool IsRead, ImmutableArray<(bool IsWrittenInRun, int ShortSize, bool IsReadInPlace)> Marks, MessageModel Made);
}
