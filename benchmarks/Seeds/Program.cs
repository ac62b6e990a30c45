using System.Globalization;
using System.Runtime.InteropServices;
using Seeds;
using Seeds.Load;
using Seeds.Rows;
using Seeds.Serving;

if (args is ["serve", .. var mode])
{
    await SeedServer.ServeAsync(isMerging: mode is not ["unmerged"]);
    return 0;
}

// The readers that stall in one row each block a thread of this process, which is to cost the others nothing.
ThreadPool.SetMinThreads(16, 1);

int rounds = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : 5;
var plan = new Plan(rounds, TimeSpan.FromSeconds(args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : 4), Warmup: TimeSpan.FromSeconds(3));
Func<Plan, Task>? row = args.FirstOrDefault() switch
{
    "merging" => MergingRow.RunAsync,
    "churn" => ChurnRow.RunAsync,
    "stall" => StallRow.RunAsync,
    "gap" => GapRow.RunAsync,
    "callers" => CallersRow.RunAsync,
    _ => null,
};
if (row is null)
{
    Console.Error.WriteLine("""
        Usage: dotnet run -c Release --project benchmarks/Seeds -- ROW [ROUNDS] [SECONDS]     (5 rounds of 4 s)
          merging   calls per second with frames merged into one send and with one send per frame
          churn     memory before and after 10,000 connections that come and go
          stall     memory, and the rate of the others, while one reader stalls for 10 s
          gap       time from a reply's being read to the next send on a busy connection
          callers   Hello, Register, List and Add by 16 to 256 callers over 3 connections
        """);
    return 2;
}

Console.WriteLine($"{Environment.ProcessorCount} CPUs, {RuntimeInformation.OSDescription}, {RuntimeInformation.FrameworkDescription}, {SeedTransport.Congestion ?? "system congestion control"}");
Console.WriteLine($"server in a process of its own; {plan.Rounds} rounds of {plan.Duration.TotalSeconds} s after {plan.Warmup.TotalSeconds} s of warm-up, medians");
Console.WriteLine();
await row(plan);
return 0;
