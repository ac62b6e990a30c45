using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;
using Mux.Generators.Symbols;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Finds the entries of maps that are alike, so that all messages with such a map share their code. Most projects have many maps and few kinds of them.
/// </summary>
internal static class SharedEntries
{
    /// <summary>Gets the messages with the names of shared entries, and those entries.</summary>
    public static (IReadOnlyList<MessageModel> Messages, IReadOnlyList<EnvelopeModel> Entries) Of(EquatableArray<MessageModel> messages)
    {
        var shared = new Dictionary<EnvelopeModel, EnvelopeModel>();
        var names = new HashSet<string>(StringComparer.Ordinal);
        var named = messages.Select(message => message.Members.Any(IsShared)
            ? message with { Members = new([.. message.Members.Select(member => IsShared(member) ? Share((EnvelopeModel)member.Value, member) : member)]) }
            : message).ToList();
        return (named, [.. shared.Values]);

        MemberModel Share(EnvelopeModel entry, MemberModel member)
        {
            var kind = entry with { Message = entry.Message with { TypeName = string.Empty, Codec = string.Empty, DisplayName = string.Empty } };
            if (!shared.TryGetValue(kind, out var made))
            {
                var name = $"Map_{SymbolText.Hash(entry.TypeName)}_Entry";
                for (int i = 2; !names.Add(name); i++) name = $"Map_{SymbolText.Hash(entry.TypeName)}_{i}_Entry";
                made = kind with { IsShared = true, Message = kind.Message with { TypeName = name, Codec = name + "Codec", DisplayName = entry.TypeName } };
                shared.Add(kind, made);
            }

            return member with { Value = made with { Message = made.Message with { DisplayName = entry.Message.DisplayName } } };
        }
    }

    // The code of other entries names the message that they belong to.
    private static bool IsShared(MemberModel member) => member.Value is EnvelopeModel { Form: EnvelopeForm.Entry } entry
        && entry.Message.Members.All(static inner => !inner.IsRepeated && inner.Value is not EnvelopeModel);
}
