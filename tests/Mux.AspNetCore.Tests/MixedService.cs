using System.Runtime.CompilerServices;
using System.Security.Claims;
using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.AspNetCore.Tests;

/// <summary>Answers every kind of call. A question with the text "wait" is answered after <see cref="Answer"/>.</summary>
internal class MixedService : IMixed
{
    public Counter Started { get; } = new("started handlers");

    /// <summary>Who made the last call of <see cref="Ask"/>.</summary>
    public ClaimsPrincipal? User { get; private set; }

    public Signal Answer { get; } = new("the test's leave to answer");

    public async ValueTask<Answer> Ask(Question question, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        User = options?.User;
        Started.Add();
        if (question.Text == "wait") await Answer.WaitAsync().WaitAsync(cancellationToken);
        return new() { Id = question.Id, Bytes = question.Bytes };
    }

    public ValueTask Tell(Question question)
    {
        Started.Add();
        return default;
    }

    public async IAsyncEnumerable<Answer> List(Question question, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (int i = 1; i <= question.Id; i++)
        {
            await Task.Yield();
            yield return new() { Id = i };
        }
    }

    public async ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default)
    {
        int sum = question.Id;
        await foreach (var item in items.WithCancellation(cancellationToken)) sum += item.Id;
        return new() { Id = sum };
    }

    public async IAsyncEnumerable<Answer> Talk(Question question, IAsyncEnumerable<Question> items, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var item in items.WithCancellation(cancellationToken)) yield return new() { Id = item.Id * 2 };
    }

    public ValueTask<Stream> Download(Question question, CancellationToken cancellationToken = default) => new(new MemoryStream(new byte[question.Id]));
}
