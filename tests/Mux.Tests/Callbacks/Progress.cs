using System.Collections.Concurrent;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Callbacks;

/// <summary>A callback that answers as the test says, and notes what it was told.</summary>
internal sealed class Progress : IProgress
{
    private int _running;

    public Func<string, CancellationToken, ValueTask<string>> OnAsk { get; set; } = static (question, _) => new(question + "!");

    public Action OnAdvance { get; set; } = static () => { };

    public Func<int, ValueTask> OnReport { get; set; } = static _ => default;

    /// <summary>Reports and questions, in the order in which they began.</summary>
    public ConcurrentQueue<string> Seen { get; } = [];

    public Counter Reports { get; } = new("reports");

    public Counter Questions { get; } = new("questions");

    /// <summary>How many ran at once, at most.</summary>
    public int Most { get; private set; }

    public ValueTask Report(int percent) => NoteAsync($"{percent}%", async () =>
    {
        Reports.Add();
        await OnReport(percent);
    });

    public async ValueTask<string> Ask(string question, CancellationToken cancellationToken)
    {
        var answer = string.Empty;
        await NoteAsync(question, async () =>
        {
            Questions.Add();
            answer = await OnAsk(question, cancellationToken);
        });
        return answer;
    }

    public ValueTask Advance() => NoteAsync("advance", () =>
    {
        OnAdvance();
        return Task.CompletedTask;
    });

    public Task<byte[]> FetchAsync(byte[] bytes, int repeated, CancellationToken cancellationToken) =>
        Task.FromResult(Enumerable.Repeat(bytes, repeated).SelectMany(static part => part).ToArray());

    private async ValueTask NoteAsync(string what, Func<Task> run)
    {
        lock (Seen) Most = Math.Max(Most, ++_running);
        Seen.Enqueue(what);
        try
        {
            await run();
        }
        finally
        {
            lock (Seen) _running--;
        }
    }
}
