using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>A service that does what the test wants; by default it answers each question with its own id.</summary>
internal class Desk : IDesk
{
    /// <summary>How every method that answers does so.</summary>
    public Func<Question, CancellationToken, ValueTask<Answer>> OnAsk { get; set; } = static (question, _) => new(new Answer { Id = question.Id });

    public Func<Question, ValueTask> OnTell { get; set; } = static _ => default;

    /// <summary>Handlers that were started.</summary>
    public Counter Started { get; } = new("started handlers");

    /// <summary>A desk whose answers all come when the test sets <paramref name="answer"/>.</summary>
    public static Desk AnsweringAfter(Signal answer) => new()
    {
        OnAsk = async (question, _) =>
        {
            await answer.WaitAsync();
            return new Answer { Id = question.Id };
        },
    };

    public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => Answer(question, cancellationToken);

    public ValueTask<Answer> AskPlainly(Question question) => Answer(question, CancellationToken.None);

    public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => Answer(question, cancellationToken);

    public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => Answer(question, cancellationToken);

    public ValueTask Tell(Question question, CancellationToken cancellationToken)
    {
        Started.Add();
        return OnTell(question);
    }

    private ValueTask<Answer> Answer(Question question, CancellationToken cancellationToken)
    {
        Started.Add();
        return OnAsk(question, cancellationToken);
    }
}
