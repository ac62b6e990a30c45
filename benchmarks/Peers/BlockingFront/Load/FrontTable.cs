using BlockingFront.Stacks;

namespace BlockingFront.Load;

/// <summary>All stacks in turns, and Mux against each of the others.</summary>
internal static class FrontTable
{
    public static async Task<int> RunAsync(RunOptions options)
    {
        Console.WriteLine($"{Environment.ProcessorCount} processors, {Environment.Version}; a front whose handlers block on a back that answers after 20 ms; {options.Seconds} s, rates from second {options.FirstSecond} on");
        Console.WriteLine();
        Console.WriteLine("| callers | stack | calls/s, median second | least second | threads of the front | CPU of the front, us per call |");
        Console.WriteLine("|---|---|---|---|---|---|");
        bool isMet = true;
        for (int round = 0; round < options.Rounds; round++)
        {
            foreach (int callers in options.Callers) isMet &= await MeasureAsync(options, callers);
        }

        return isMet ? 0 : 1;
    }

    private static async Task<bool> MeasureAsync(RunOptions options, int callers)
    {
        var figures = new Dictionary<string, FrontFigures>();
        foreach (var name in options.Stacks)
        {
            var run = figures[name] = await FrontLoad.RunAsync(Stack.Named(name), callers, options.Seconds);
            Console.WriteLine($"| {callers} | {name} | {run.MedianFrom(options.FirstSecond):N0} | {run.LeastFrom(options.FirstSecond):N0} | {run.Threads} | {run.ProcessorPerCall:N0} |");
        }

        if (!figures.TryGetValue("mux", out var own)) return true;
        bool isMet = true;
        foreach (var (name, other) in figures.Where(figure => figure.Key != "mux"))
        {
            double ratio = own.LeastFrom(options.FirstSecond) / other.MedianFrom(options.FirstSecond);
            isMet &= ratio >= options.Goal;
            Console.WriteLine($"{callers} callers: in its least second Mux makes {ratio:F2} of the median second of {name}, goal {options.Goal}: {(ratio >= options.Goal ? "met" : "NOT MET")}");
        }

        return isMet;
    }
}
