using Mux.Tests.Contracts;

namespace Mux.Tests.Server;

/// <summary>Answers a question after 20 ms, without holding a thread; with as many bytes as its text says.</summary>
internal sealed class SlowDesk : IDesk
{
    private static readonly TimeSpan s_time = TimeSpan.FromMilliseconds(20);

    public async ValueTask<Answer> AskPlainly(Question question)
    {
        await Task.Delay(s_time);
        return new Answer { Id = question.Id, Bytes = question.Text is { } length ? new byte[int.Parse(length, System.Globalization.CultureInfo.InvariantCulture)] : null };
    }

    public ValueTask<Answer> Ask(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskOnPool(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask<Answer> AskInline(Question question, CancellationToken cancellationToken) => AskPlainly(question);

    public ValueTask Tell(Question question, CancellationToken cancellationToken) => default;
}
