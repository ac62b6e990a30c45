using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Reading;

/// <summary>Way to create objects of a message type; see <see cref="MessageModel"/> for the parts.</summary>
internal sealed record ConstructionModel(Construction Kind, EquatableArray<int> Parameters, bool NeedsAccessor)
{
    /// <summary>Completes the members: those without a way to be set are set by the constructor; a list would otherwise be filled.</summary>
    public IEnumerable<MemberModel> Complete(IEnumerable<MemberModel> members)
    {
        return members.Select((member, i) => Parameters.Contains(i)
            && member.Write == WriteAccess.InPlace ? member with { Write = WriteAccess.Constructor } : member);
    }
}
