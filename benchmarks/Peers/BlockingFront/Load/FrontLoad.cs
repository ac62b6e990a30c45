using BlockingFront.Stacks;

namespace BlockingFront.Load;

/// <summary>Callers that each make their next call when the last one is answered.</summary>
internal static class FrontLoad
{
    public static async Task<FrontFigures> RunAsync(Stack stack, int callers, int seconds)
    {
        using var back = StackProcess.Start("back", stack.Name);
        using var front = StackProcess.Start("front", stack.Name, back.Port.ToString(System.Globalization.CultureInfo.InvariantCulture));
        await using var client = stack.Connect(front.Port);
        long answered = 0;
        var end = new CancellationTokenSource();
        for (int i = 0; i < callers; i++)
        {
            int first = i;
            _ = Task.Run(() => CallAsync(first));
        }

        var perSecond = new long[seconds];
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(1));
        long before = 0;
        for (int second = 0; second < seconds; second++)
        {
            await timer.WaitForNextTickAsync();
            long now = Interlocked.Read(ref answered);
            perSecond[second] = now - before;
            before = now;
        }

        var figures = new FrontFigures(perSecond, front.Threads, before == 0 ? 0 : front.ProcessorSeconds * 1e6 / before);
        await end.CancelAsync();
        return figures;

        async Task CallAsync(int number)
        {
            try
            {
                while (!end.IsCancellationRequested)
                {
                    int reply = await client.CallAsync(number).ConfigureAwait(false);
                    if (reply != number + 1) Environment.FailFast($"{number} was answered with {reply}.");
                    Interlocked.Increment(ref answered);
                }
            }
            catch (Exception error)
            {
                if (!end.IsCancellationRequested) Console.Error.WriteLine($"{stack.Name}: a caller ended: {error.Message}");
            }
        }
    }
}
