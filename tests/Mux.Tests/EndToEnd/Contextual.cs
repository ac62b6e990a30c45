using System.Runtime.CompilerServices;
using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Handlers that know their call only from its context. Each adds response metadata: the key "method" holds the name of the method.</summary>
internal sealed class Contextual : IMixed
{
    /// <summary>What the last handler saw.</summary>
    public MuxCallContext? Seen { get; private set; }

    /// <summary>What flowed to code that the last handler started.</summary>
    public ExecutionContext? Flow { get; private set; }

    public Counter Started { get; } = new("started handlers");

    public async ValueTask<Answer> Ask(Question question, MuxCallOptions? options = null, CancellationToken cancellationToken = default)
    {
        var context = See();
        Assert.Same(options!.Metadata, context.Metadata);
        Assert.Same(options.ResponseMetadata, context.ResponseMetadata);
        Assert.Equal(cancellationToken, context.CancellationToken);
        await Task.Yield();
        if (question.Text == "fail") throw new MuxException(MuxStatus.Aborted, "as asked");
        return new Answer { Id = question.Id };
    }

    public ValueTask Tell(Question question)
    {
        See();
        return default;
    }

    public async IAsyncEnumerable<Answer> List(Question question, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var context = See();
        for (int i = 1; i <= question.Id; i++)
        {
            await Task.Yield();
            Assert.Same(context, MuxCallContext.Current);
            yield return new() { Id = i };
        }

        if (question.Text == "fail") throw new MuxException(MuxStatus.Aborted, "as asked");
    }

    public async ValueTask<Answer> Sum(Question question, IAsyncEnumerable<Question> items, CancellationToken cancellationToken = default)
    {
        var context = See();
        int sum = 0;
        await foreach (var item in items.WithCancellation(cancellationToken))
        {
            Assert.Same(context, MuxCallContext.Current);
            sum += item.Id;
        }

        return new() { Id = sum };
    }

    public async IAsyncEnumerable<Answer> Talk(Question question, IAsyncEnumerable<Question> items, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var context = See();
        await foreach (var item in items.WithCancellation(cancellationToken))
        {
            Assert.Same(context, MuxCallContext.Current);
            yield return new() { Id = item.Id };
        }
    }

    public ValueTask<Stream> Download(Question question, CancellationToken cancellationToken = default)
    {
        See();
        return new(new MemoryStream(new byte[question.Id]));
    }

    private MuxCallContext See()
    {
        var context = MuxCallContext.Current ?? throw new InvalidOperationException("There is no context.");
        context.ResponseMetadata["method"] = context.Method;
        Seen = context;
        Flow = ExecutionContext.Capture();
        Started.Add();
        return context;
    }
}
