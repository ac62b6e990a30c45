using System.Runtime.CompilerServices;
using Mux.Tests.Contracts;

namespace Mux.Tests.Faults;

/// <summary>Does what the questions say, and records it.</summary>
internal sealed class Mixed : IMixed
{
    public ExecutionHistory History { get; } = new();

    /// <summary>What a question with the text "own" does; set by tests that need more than the usual.</summary>
    public Func<Question, CancellationToken, ValueTask<Answer>>? OnOwn { get; set; }

    public async ValueTask<Answer> Ask(Question question, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        History.Start(question.Id);
        try
        {
            switch (question.Text)
            {
                case "fail": throw new MuxException(MuxStatus.NotFound, "none");
                case "throw": throw new InvalidOperationException("not for the caller");
                case "blame": throw new MuxException(MuxStatus.Aborted, "blamed") { Detail = new Blame { Id = question.Id } };
                case "wait": await UntilCancelledAsync(cancellationToken); break;
                case "metadata":
                    options?.ResponseMetadata?.Add("answer", options.Metadata?["ask"] ?? "none");
                    break;
                case "own": return await OnOwn!(question, cancellationToken);
            }

            return new Answer { Id = question.Id, Bytes = question.Bytes };
        }
        finally
        {
            History.End(question.Id);
        }
    }

    public ValueTask Tell(Question question)
    {
        History.Start(question.Id);
        History.End(question.Id);
        return default;
    }

    public async IAsyncEnumerable<Answer> List(Question question, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        History.Start(question.Id);
        try
        {
            for (int i = 0; i < (question.Names?.Count ?? 0); i++)
            {
                History.Send(question.Id);
                yield return new Answer { Id = i, Bytes = question.Bytes };
            }

            if (question.Text == "fail") throw new MuxException(MuxStatus.DataLoss, "no more");
            if (question.Text == "wait") await UntilCancelledAsync(cancellationToken);
        }
        finally
        {
            History.End(question.Id);
        }
    }

    public async ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken)
    {
        History.Start(question.Id);
        try
        {
            int count = 0;
            await foreach (var item in items.WithCancellation(cancellationToken))
            {
                if (item.Id != count++) throw new MuxException(MuxStatus.OutOfRange, $"Item {item.Id} came as number {count - 1}.");
            }

            return new Answer { Id = question.Id, Names = [.. Enumerable.Repeat("x", count)] };
        }
        finally
        {
            History.End(question.Id);
        }
    }

    public async IAsyncEnumerable<Answer> Talk(Question question, IAsyncEnumerable<Question> items, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        History.Start(question.Id);
        try
        {
            await foreach (var item in items.WithCancellation(cancellationToken))
            {
                History.Send(question.Id);
                yield return new Answer { Id = item.Id, Bytes = item.Bytes };
            }
        }
        finally
        {
            History.End(question.Id);
        }
    }

    public ValueTask<Stream> Download(Question question, CancellationToken cancellationToken)
    {
        History.Start(question.Id);
        var bytes = new byte[48];
        for (int i = 0; i < bytes.Length; i++) bytes[i] = (byte)i;
        History.End(question.Id);
        return new(new MemoryStream(bytes));
    }

    /// <summary>Ends with the token, without a thread or a timer.</summary>
    private static async Task UntilCancelledAsync(CancellationToken cancellationToken)
    {
        var over = new TaskCompletionSource();
        using (cancellationToken.UnsafeRegister(static state => ((TaskCompletionSource)state!).TrySetResult(), over)) await over.Task;
        cancellationToken.ThrowIfCancellationRequested();
    }
}
