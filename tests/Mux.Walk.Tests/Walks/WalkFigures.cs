namespace Mux.Walk.Tests.Walks;

/// <summary>The size of a walk.</summary>
/// <param name="Files">Source files that a reader opens on the way.</param>
/// <param name="Methods">Different methods.</param>
/// <param name="Entries">Entries of methods.</param>
/// <param name="Forwards">Different methods among them that only call another one.</param>
/// <param name="Rooms">Folders of these files.</param>
internal sealed record WalkFigures(int Files, int Methods, int Entries, int Forwards, int Rooms)
{
    public static readonly string[] Names = ["files", "methods", "entries", "forwards", "rooms"];

    /// <summary>The figures in the order of <see cref="Names"/>.</summary>
    public int[] ToArray() => [Files, Methods, Entries, Forwards, Rooms];

    public override string ToString() =>
        string.Join(", ", ToArray().Zip(Names, static (figure, name) => $"{figure} {name}"));

    /// <summary>Each of the figures that is larger than in <paramref name="limit"/>, as a sentence.</summary>
    public IEnumerable<string> Above(WalkFigures limit) =>
        Compare(limit, static (now, then) => now > then, "at most");

    /// <summary>Each of the figures that is smaller than in <paramref name="limit"/>, as a sentence.</summary>
    public IEnumerable<string> Below(WalkFigures limit) =>
        Compare(limit, static (now, then) => now < then, "written is");

    private IEnumerable<string> Compare(WalkFigures limit, Func<int, int, bool> differs, string words) => Names
        .Select((name, index) => (Name: name, Now: ToArray()[index], Then: limit.ToArray()[index]))
        .Where(figure => differs(figure.Now, figure.Then))
        .Select(figure => $"{figure.Name} {figure.Now}, {words} {figure.Then}");
}
