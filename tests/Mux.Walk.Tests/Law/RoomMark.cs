namespace Mux.Walk.Tests.Law;

/// <summary>
/// What the code of a room keeps away from, so that it is pure: beginnings of namespaces. The mark of the nearest room
/// holds.
/// </summary>
/// <param name="Room">A project, a wing or a room: <c>Mux.Core/Protocol/Wire</c>.</param>
/// <param name="NeverFrom">
/// Beginnings of namespaces of the framework and of libraries, and names of projects of ours.
/// </param>
internal sealed record RoomMark(string Room, string[] NeverFrom)
{
    public bool IsAbout(Place place) => $"{place.Path}/".StartsWith(Room + '/', StringComparison.Ordinal);

    /// <param name="name">The full name of a type of others, or project and full name of one of ours.</param>
    public bool Forbids(string name) =>
        NeverFrom.Any(space => name.StartsWith(space + (name.Contains('/') ? '/' : '.'), StringComparison.Ordinal));
}
