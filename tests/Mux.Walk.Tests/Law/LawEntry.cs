namespace Mux.Walk.Tests.Law;

/// <summary>What the code of a wing or of a project may name, besides itself.</summary>
/// <param name="Name">The project, and after a slash the wing: <c>Mux.Core/Engine</c>.</param>
/// <param name="MayName">Wings and projects.</param>
/// <param name="Rooms">
/// Its rooms from the bottom, if they have an order: a room may name those before it. Rooms between bars do not name
/// each other; an empty name is what lies in no folder. A folder that is not listed is part of the room around it.
/// </param>
internal sealed record LawEntry(string Name, string[] MayName, string[]? Rooms = null)
{
    /// <summary>Whether one of its rooms may name another one.</summary>
    public bool Allows(string room, string named)
    {
        if (Rooms is null) return true;
        var (from, to) = (Find(room), Find(named));
        return from == to || to.Level < from.Level;
    }

    private (int Level, string Room) Find(string room)
    {
        var found = Rooms!.SelectMany((names, level) => names.Split('|').Select(name => (Level: level, Room: name)))
            .Where(entry => entry.Room.Length == 0 || $"{room}/".StartsWith(entry.Room + '/', StringComparison.Ordinal))
            .OrderByDescending(entry => entry.Room.Length);
        return found.FirstOrDefault((Level: int.MaxValue, Room: room));
    }
}
