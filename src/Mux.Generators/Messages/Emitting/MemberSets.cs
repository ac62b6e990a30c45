using Mux.Generators.Messages.Models;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Parts of the members of a message.</summary>
internal static class MemberSets
{
    /// <summary>Gets the members that are not among others of the same message. Compares numbers, as models compare everything in them.</summary>
    public static IEnumerable<MemberModel> Without(this IEnumerable<MemberModel> members, IEnumerable<MemberModel> others)
    {
        var numbers = new HashSet<int>(others.Select(static member => member.Number));
        return members.Where(member => !numbers.Contains(member.Number));
    }
}
