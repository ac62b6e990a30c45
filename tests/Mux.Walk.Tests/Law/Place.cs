namespace Mux.Walk.Tests.Law;

/// <summary>The project, the wing of it if it has wings, and the room in that: a folder, or nothing.</summary>
internal readonly record struct Place(string Project, string Wing, string Room)
{
    public const string Core = "Mux.Core";

    /// <summary>What the law calls it: <c>Mux.Core/Engine</c>, <c>Mux.Redis</c>.</summary>
    public string Name => Wing.Length == 0 ? Project : $"{Project}/{Wing}";

    /// <summary>All of it: <c>Mux.Core/Engine/Sessions/Budgets</c>.</summary>
    public string Path => Room.Length == 0 ? Name : $"{Name}/{Room}";
}
