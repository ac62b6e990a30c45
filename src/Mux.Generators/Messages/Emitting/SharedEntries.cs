using System.Collections.Immutable;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Finds the entries of maps that are alike, so that all messages with such a map share their code. Most projects have many maps and few kinds of them.
/// </summary>
internal static class SharedEntries
{
    private static readonly LastMade<MessageModel, StrongArray<KindOfMember>> s_kinds = new();
    private static readonly LastMade<EntryKind, EnvelopeModel> s_entries = new();
    private static readonly LastMade<MessageModel, Named> s_named = new();

    /// <summary>Gets the messages with the names of shared entries, and those entries.</summary>
    public static (IReadOnlyList<MessageModel> Messages, IReadOnlyList<EnvelopeModel> Entries) Of(EquatableArray<MessageModel> messages)
    {
        var shared = new Dictionary<EntryKind, EnvelopeModel>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        var named = new List<MessageModel>(messages.Count);
        foreach (var message in messages)
        {
            var kinds = KindsOf(message);
            named.Add(kinds.IsEmpty ? message : Name(message, kinds, kinds.Select(static one => one.Kind).Select(Share).ToArray()));
        }

        return (named, [.. shared.Values]);

        EnvelopeModel Share(EntryKind kind)
        {
            if (shared.TryGetValue(kind, out var known)) return known;
            var name = $"{kind.Name}_Entry";
            for (int i = 2; !names.Add(name); i++) name = $"{kind.Name}_{i}_Entry";
            var made = s_entries.Of(kind) is { } last && last.Message.TypeName == name ? last : s_entries.Keep(kind, kind.ToEntry(name));
            shared.Add(kind, made);
            return made;
        }
    }

    private static MessageModel Name(MessageModel message, ImmutableArray<KindOfMember> kinds, EnvelopeModel[] entries)
    {
        if (s_named.Of(message) is { } last && last.Entries.SequenceEqual(entries)) return last.Made;
        var members = message.Members.ToArray();
        for (int i = 0; i < entries.Length; i++)
        {
            ref var member = ref members[kinds[i].Member];
            var display = ((EnvelopeModel)member.Value).Message.DisplayName;
            member = member with { Value = entries[i] with { Message = entries[i].Message with { DisplayName = display } } };
        }

        return s_named.Keep(message, new(entries, message with { Members = new([.. members]) })).Made;
    }

    private static ImmutableArray<KindOfMember> KindsOf(MessageModel message)
    {
        if (s_kinds.Of(message) is { } known) return known.Items;
        var kinds = ImmutableArray.CreateBuilder<KindOfMember>();
        for (int i = 0; i < message.Members.Count; i++)
        {
            if (message.Members[i].Value is EnvelopeModel entry && IsShared(entry)) kinds.Add(new(i, new EntryKind(entry)));
        }

        return s_kinds.Keep(message, new(kinds.ToImmutable())).Items;
    }

    // The code of other entries names the message that they belong to.
    private static bool IsShared(EnvelopeModel value) => value is { Form: EnvelopeForm.Entry } entry
        && entry.Message.Members.All(static inner => !inner.IsRepeated && inner.Value is not EnvelopeModel);

    private sealed record StrongArray<T>(ImmutableArray<T> Items);

    private sealed record Named(EnvelopeModel[] Entries, MessageModel Made);

    private readonly record struct KindOfMember(int Member, EntryKind Kind);

    /// <summary>What entries that are alike have in common. It is hashed once, because many maps are compared after each edit.</summary>
    private sealed class EntryKind : IEquatable<EntryKind>
    {
        private readonly EnvelopeModel _common;
        private readonly int _hash;

        public EntryKind(EnvelopeModel entry)
        {
            _common = entry with { Message = entry.Message with { TypeName = string.Empty, Codec = string.Empty, DisplayName = string.Empty } };
            _hash = _common.GetHashCode();
            Name = $"Map_{SymbolText.Hash(entry.TypeName)}";
        }

        /// <summary>Gets the beginning of the name of the shared entry.</summary>
        public string Name { get; }

        public EnvelopeModel ToEntry(string name) => _common with
        {
            IsShared = true,
            Message = _common.Message with { TypeName = name, Codec = name + "Codec", DisplayName = _common.TypeName },
        };

        public bool Equals(EntryKind? other) => ReferenceEquals(this, other) || (other is not null && _hash == other._hash && _common == other._common);

        public override bool Equals(object? obj) => Equals(obj as EntryKind);

        public override int GetHashCode() => _hash;
    }
}
