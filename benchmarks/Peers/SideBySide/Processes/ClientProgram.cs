using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Mux.Tool.Measuring;
using SideBySide.Load;
using SideBySide.Stacks;

namespace SideBySide.Processes;

/// <summary>
/// The client process: starts the server's, checks the replies of each connection, then makes the load and measures it from the thread that makes none. Writes
/// a <see cref="RunOutcome"/>.
/// </summary>
internal static class ClientProgram
{
    private const double NanosecondsPerMicrosecond = 1_000;
    private const int CheckedCalls = 2;
    private const int CheckedStreamLength = 300;

    // Calls that have no reply by then are lost.
    private static readonly TimeSpan s_lastReplies = TimeSpan.FromSeconds(20);

    public static void Run(Stack stack, Shape shape, RunTiming timing) => Write(() => Measure(stack, shape, timing));

    /// <summary>Only checks the replies of all methods.</summary>
    public static void Check(Stack stack) => Write(() =>
    {
        using var server = StartServer(stack, out int port);
        foreach (var shape in Shape.All.DistinctBy(shape => shape.Kind))
        {
            var client = stack.ConnectAsync(port, shape).GetAwaiter().GetResult();
            if (CheckReplies(client, shape) is { } problem) return new RunOutcome(null, $"{shape.Kind}: {problem}");
            client.DisposeAsync().AsTask().GetAwaiter().GetResult();
        }

        return new RunOutcome(null, null);
    });

    private static void Write(Func<RunOutcome> run)
    {
        EndWithInput();
        RunOutcome outcome;
        try
        {
            outcome = run();
        }
        catch (Exception error) // any exception of a peer is the result of its run
        {
            outcome = new RunOutcome(null, error.ToString());
        }

        Console.WriteLine(JsonSerializer.Serialize(outcome));
        Console.Out.Flush();
        Environment.Exit(0); // with its connections as they are
    }

    /// <summary>Ends this process, and with it the server's, when the one that started it has ended.</summary>
    private static void EndWithInput() => new Thread(static () =>
    {
        Console.In.ReadToEnd();
        Environment.Exit(1);
    })
    { IsBackground = true }.Start();

    private static StackProcess StartServer(Stack stack, out int port)
    {
        var server = StackProcess.StartServer(stack, "serve", stack.Name);
        port = int.Parse(server.ReadLine(), CultureInfo.InvariantCulture);
        return server;
    }

    private static RunOutcome Measure(Stack stack, Shape shape, RunTiming timing)
    {
        using var server = StartServer(stack, out int port);
        var client = stack.ConnectAsync(port, shape).GetAwaiter().GetResult();
        if (CheckReplies(client, shape) is { } wrong) return new RunOutcome(null, $"before the load: {wrong}");

        var load = new LoadState();
        var running = Task.WhenAll(Enumerable.Range(0, shape.Callers).Select(index =>
            Task.Run(() => RunCaller(client, shape, index % shape.Connections, new Caller(load, index, shape.Callers, shape.Yields)))));
        Thread.Sleep(TimeSpan.FromSeconds(timing.Warmup));
        LatencyHistogram first = new(), last = new(), made = new();
        load.Recorders.SumInto(last); // compiles it
        var serverBefore = Glance();
        load.Recorders.SumInto(first);
        var before = ProcessFigures.Glance();
        long start = Stopwatch.GetTimestamp();
        Thread.Sleep(TimeSpan.FromSeconds(timing.Duration));
        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        var after = ProcessFigures.Glance();
        load.Recorders.SumInto(last);
        var serverAfter = Glance();
        var (clientState, serverState) = (ProcessFigures.Read(port), Parse(server.Ask(ServerProgram.Describe)));

        load.End();
        bool isDone = running.Wait(s_lastReplies);
        load.Recorders.SumInto(made);
        if (load.Failed > 0) return new RunOutcome(null, $"{load.Failed} calls failed: {load.Failure}");
        if (made.WrongReplies > 0) return new RunOutcome(null, $"{made.WrongReplies} replies were wrong.");
        if (!isDone) return new RunOutcome(null, $"Calls had no reply {s_lastReplies.TotalSeconds} s after the load ended.");
        made.SetDifference(last, first);
        double calls = made.Replies;
        if (calls == 0) return new RunOutcome(null, "No call had its reply while it was measured.");
        bool isTimed = made.Count > 0;
        return new RunOutcome(
            new RunFigures(
                calls / seconds,
                isTimed ? made.Percentile(0.5) / NanosecondsPerMicrosecond : null,
                isTimed ? made.Percentile(0.99) / NanosecondsPerMicrosecond : null,
                (after.CpuMicroseconds - before.CpuMicroseconds) / calls,
                (serverAfter.CpuMicroseconds - serverBefore.CpuMicroseconds) / calls,
                (after.AllocatedBytes - before.AllocatedBytes) / calls,
                (serverAfter.AllocatedBytes - serverBefore.AllocatedBytes) / calls,
                clientState,
                serverState),
            null);

        ProcessFigures Glance() => Parse(server.Ask(ServerProgram.Glance));
    }

    /// <summary>Some calls on each connection.</summary>
    /// <returns>Null if every reply was right.</returns>
    private static string? CheckReplies(IStackClient client, Shape shape)
    {
        var load = new LoadState();
        Task.WhenAll(Enumerable.Range(0, shape.Connections).Select(index =>
        {
            var caller = new Caller(load, index, shape.Connections, yields: false) { Most = CheckedCalls, StreamLength = CheckedStreamLength };
            return Task.Run(() => RunCaller(client, shape, index, caller));
        })).GetAwaiter().GetResult();
        var made = load.Recorders.SumInto(new LatencyHistogram());
        long expected = (long)shape.Connections * CheckedCalls * (shape.Kind == ShapeKind.Read ? CheckedStreamLength : 1);
        return load.Failed > 0 ? $"{load.Failed} calls failed: {load.Failure}"
            : made.WrongReplies > 0 ? $"{made.WrongReplies} replies were wrong."
            : made.Replies != expected ? $"{made.Replies} replies instead of {expected}."
            : null;
    }

    private static Task RunCaller(IStackClient client, Shape shape, int connection, Caller caller) => shape.Kind switch
    {
        ShapeKind.Echo => client.EchoAsync(connection, caller),
        ShapeKind.Read => client.ReadAsync(connection, caller),
        _ => client.SearchAsync(connection, caller),
    };

    private static ProcessFigures Parse(string line) => JsonSerializer.Deserialize<ProcessFigures>(line)!;
}
