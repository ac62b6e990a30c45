using System.Runtime.CompilerServices;
using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Filters;

/// <summary>Handlers of every shape. The text of the question says how they end: fail, throw, wait or gate; otherwise well.</summary>
internal sealed class Mixed : IMixed
{
    public const int Items = 3;

    /// <summary>The shapes that have an answer.</summary>
    public static readonly string[] Answered = ["Ask", "List", "Sum", "Talk"];

    public static readonly string[] Shapes = [.. Answered, "Tell"];

    /// <summary>Lets the handlers of questions with the text gate go on.</summary>
    public TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Counter Started { get; } = new("started handlers");

    public async ValueTask<Answer> Ask(Question question, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        await BeginAsync(question, cancellationToken);
        return new Answer { Id = question.Id, Text = question.Text };
    }

    public ValueTask Tell(Question question) => new(BeginAsync(question, CancellationToken.None));

    public async IAsyncEnumerable<Answer> List(Question question, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        for (int id = 1; id <= Items; id++) yield return new() { Id = id };
        await BeginAsync(question, cancellationToken);
    }

    public async ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default)
    {
        int sum = await items.Select(static item => item.Id).SumAsync(cancellationToken);
        await BeginAsync(question, cancellationToken);
        return new() { Id = sum };
    }

    public async IAsyncEnumerable<Answer> Talk(
        Question question, IAsyncEnumerable<Question> items, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        await foreach (var item in items.WithCancellation(cancellationToken)) yield return new() { Id = item.Id };
        await BeginAsync(question, cancellationToken);
    }

    public ValueTask<Stream> Download(Question question, CancellationToken cancellationToken = default) => new(new MemoryStream(new byte[question.Id]));

    /// <summary>Makes a call to its end.</summary>
    public static Task<int> CallAsync(IMixed sut, string shape, string? text = null) =>
        CallUntilAsync(sut, shape, text, TestContext.Current.CancellationToken);

    /// <summary>Makes a call that a token ends.</summary>
    public static async Task<int> CallUntilAsync(IMixed sut, string shape, string? text, CancellationToken token)
    {
        var question = new Question { Id = 7, Text = text };
        switch (shape)
        {
            case "Ask":
                return (await sut.Ask(question, cancellationToken: token)).Id;
            case "Tell":
                await sut.Tell(question);
                return 0;
            case "List":
                return await sut.List(question, token).Select(static answer => answer.Id).SumAsync(token);
            case "Sum":
                return (await sut.Sum(question, Questions(), token)).Id;
            case "Talk":
                return await sut.Talk(question, Questions(), token).Select(static answer => answer.Id).SumAsync(token);
            default:
                throw new ArgumentOutOfRangeException(nameof(shape), shape, "no shape");
        }
    }

    private static async IAsyncEnumerable<Question> Questions()
    {
        for (int id = 1; id <= Items; id++)
        {
            await Task.Yield();
            yield return new() { Id = id };
        }
    }

    private async Task BeginAsync(Question question, CancellationToken cancellationToken)
    {
        Started.Add();
        await Task.Yield();
        switch (question.Text)
        {
            case "fail":
                throw new MuxException(MuxStatus.Aborted, "as asked");
            case "throw":
                throw new FormatException("the secret");
            case "gate":
                await Gate.Task;
                break;
            case "wait":
                await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
                break;
        }
    }
}
