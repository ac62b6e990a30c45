using Evidence.Statistics;
using SideBySide.Load;
using SideBySide.Processes;
using SideBySide.Stacks;

namespace SideBySide.Reporting;

/// <summary>All figures of all rounds.</summary>
/// <param name="stacks">In the order of the rows.</param>
/// <param name="shapes">In the order of the tables.</param>
internal sealed class PeerTable(IReadOnlyList<Stack> stacks, IReadOnlyList<Shape> shapes)
{
    private readonly Dictionary<(Stack Stack, Shape Shape), List<RunFigures>> _runs = [];
    private readonly List<string> _problems = [];

    public IReadOnlyList<Stack> Stacks => stacks;

    public IReadOnlyList<Shape> Shapes => shapes;

    /// <summary>Runs that failed, and differences in what is to be the same for all.</summary>
    public IReadOnlyList<string> Problems => _problems;

    public void Add(Stack stack, Shape shape, RunFigures figures)
    {
        if (!_runs.TryGetValue((stack, shape), out var runs)) _runs[(stack, shape)] = runs = [];
        runs.Add(figures);
    }

    public void AddProblem(string problem) => _problems.Add(problem);

    /// <summary>The runs of a stack in all shapes.</summary>
    public IEnumerable<RunFigures> RunsOf(Stack stack) => _runs.Where(entry => entry.Key.Stack == stack).SelectMany(entry => entry.Value);

    /// <returns>Null if all its runs failed, or the figure is none of this shape.</returns>
    public Estimate? Of(Stack stack, Shape shape, Func<RunFigures, double?> figure) =>
        _runs.TryGetValue((stack, shape), out var runs) && runs.Select(figure).OfType<double>().ToArray() is { Length: > 0 } values ? Estimate.Of(values) : null;
}
