using System.Globalization;
using Evidence.Programs;
using Evidence.Statistics;

namespace Evidence.Methods;

/// <summary>What a program pays for having many methods: at their first calls, and for ever. Every figure has a pair of processes of its own.</summary>
internal static class MethodTable
{
    private const int Some = 100;
    private const double FirstCallsGoal = 1_000;
    private const double SomeGoal = 0.9;
    private const double AllGoal = 0.6;

    public static void Run(CommandLine options)
    {
        int rounds = options.Count("--rounds", 5, 1, 100);
        double warmup = options.Seconds("--warmup", 5), seconds = options.Seconds("--seconds", 2);
        using var assembly = MethodAssembly.Compile();
        using var load = NicedLoad.Start(options.Count("--beside", 0, 0, 64));
        Console.WriteLine($"{Machine.Describe()}; {load.Describe()}; {MethodSources.Services} services, {MethodSources.Methods:N0} methods, {MethodSources.Pairs} pairs of messages; 200 calls in flight on one connection, medians of {rounds} rounds of {seconds} s after {warmup} s");
        Console.WriteLine();
        var (first, one, some, all) = (new List<double>(), new List<double>(), new List<double>(), new List<double>());
        for (int round = 0; round < rounds; round++)
        {
            one.Add(Measure(1).Rate);
            some.Add(Measure(Some).Rate);
            var (time, rate) = Measure(MethodSources.Methods);
            first.Add(time);
            all.Add(rate);
        }

        Console.WriteLine("| what | figure | to one method | goal | |");
        Console.WriteLine("|---|---|---|---|---|");
        double milliseconds = Estimate.MedianOf(first);
        Console.WriteLine($"| first calls of {MethodSources.Methods:N0} methods, one after the other, with 50 proxies | {milliseconds:N0} ms | | <= {FirstCallsGoal:N0} ms | {Verdict.Of(milliseconds <= FirstCallsGoal)} |");
        Console.WriteLine($"| one method | {Estimate.MedianOf(one):N0} calls/s | | | |");
        PrintRatio(Some, some, one, SomeGoal);
        PrintRatio(MethodSources.Methods, all, one, AllGoal);
        Console.WriteLine($"| assembly of contracts, messages, services and callers | {assembly.Bytes / 1024:N0} KiB | | | |");

        (double Milliseconds, double Rate) Measure(int count)
        {
            using var server = RunningServer.Start(BuiltProgram.Self, ["serve-methods", assembly.Path]);
            string[] arguments = ["call-methods", assembly.Path, server.AddressOf(), Text(count), Text(warmup), Text(seconds)];
            var figures = BuiltProgram.Self.Run(arguments, static code => code == 0).Split(' ');
            return (double.Parse(figures[0], CultureInfo.InvariantCulture), double.Parse(figures[1], CultureInfo.InvariantCulture));
        }
    }

    private static void PrintRatio(int methods, List<double> rates, List<double> one, double goal)
    {
        var ratio = Estimate.Of([.. rates.Zip(one, static (rate, single) => rate / single)]);
        Console.WriteLine($"| {methods:N0} methods in turn | {Estimate.MedianOf(rates):N0} calls/s | {ratio.ToString("F2")} | >= {goal} | {Verdict.Of(ratio.Median >= goal)} |");
    }

    private static string Text(double number) => number.ToString(CultureInfo.InvariantCulture);
}
