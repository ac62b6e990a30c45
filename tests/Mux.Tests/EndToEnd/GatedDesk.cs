using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>A service that counts how many of its handlers run at a time, and lets the test say when one ends.</summary>
internal sealed class GatedDesk : IDesk
{
    private readonly Lock _gate = new(); // guards what follows
    private readonly Queue<TaskCompletionSource> _open = [];
    private int _running;

    /// <summary>Whether handlers end by themselves, after having given up their thread.</summary>
    public bool AnswersAtOnce { get; init; }

    public Counter Started { get; } = new("started handlers");

    public int MostAtATime { get; private set; }

    /// <summary>The ids of the questions in the order of their handlers' starts.</summary>
    public List<int> Order { get; } = [];

    /// <summary>Ends the handler that has run longest.</summary>
    public void AnswerOldest()
    {
        TaskCompletionSource oldest;
        lock (_gate) oldest = _open.Dequeue();
        oldest.SetResult();
    }

    public async ValueTask<Answer> AskPlainly(Question question)
    {
        var end = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            _open.Enqueue(end);
            MostAtATime = Math.Max(MostAtATime, ++_running);
            Order.Add(question.Id);
        }

        Started.Add();
        if (AnswersAtOnce) await Task.Yield();
        else await end.Task;
        lock (_gate) _running--;
        return new Answer { Id = question.Id };
    }

    public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public async ValueTask Tell(Question question, CancellationToken cancellationToken) => await AskPlainly(question);
}
