using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>How objects of a message type are made; see <see cref="MessageModel"/> for the parts.</summary>
internal sealed record ConstructionModel(Construction Kind, EquatableArray<int> Parameters, bool NeedsAccessor)
{
    /// <summary>The members, those that the constructor takes without a way of their own: a list that cannot be set would be filled.</summary>
    public IEnumerable<MemberModel> Complete(IEnumerable<MemberModel> members)
    {
        return members.Select((member, i) => Parameters.Contains(i)
            && member.Write == WriteAccess.InPlace ? member with { Write = WriteAccess.Constructor } : member);
    }
}
