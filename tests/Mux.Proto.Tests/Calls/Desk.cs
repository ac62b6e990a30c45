using Google.Protobuf;
using Mux.TestSupport.Transports;
using Tests.Services;
using Point = Mux.Proto.Tests.Imported.Common.Point;

namespace Mux.Proto.Tests.Calls;

/// <summary>Serves the imported contract.</summary>
internal sealed class Desk : IDesk
{
    public Counter Told { get; } = new("told questions");

    public ValueTask<Answer> Ask(Question request, CancellationToken cancellationToken) => new(AnswerTo(request));

    public async IAsyncEnumerable<Answer> List(Question request, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (int i = 0; i < request.Count; i++)
        {
            await Task.Yield();
            yield return new Answer { Text = request.Text, Point = new Point { X = -i, Y = i } };
        }
    }

    public async ValueTask<Answer> Collect(IAsyncEnumerable<Question> requests, CancellationToken cancellationToken)
    {
        var texts = new List<string>();
        await foreach (var request in requests.WithCancellation(cancellationToken)) texts.Add(request.Text);
        return new Answer { Text = string.Join(' ', texts) };
    }

    public async IAsyncEnumerable<Answer> Talk(
        IAsyncEnumerable<Question> requests, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await foreach (var request in requests.WithCancellation(cancellationToken)) yield return AnswerTo(request);
    }

    public ValueTask Tell(Question request, CancellationToken cancellationToken)
    {
        Told.Add();
        return default;
    }

    public ValueTask Ping(CancellationToken cancellationToken) => default;

    public ValueTask<Int32Value> Count(CancellationToken cancellationToken) => new(new Int32Value { Value = 7 });

    public ValueTask Reset(Question request, CancellationToken cancellationToken) => default;

    public async IAsyncEnumerable<Point> Watch([System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.Yield();
        yield return new Point { X = 1 };
        yield return new Point { Y = -1 };
    }

    public ValueTask<Answer> Refuse(Question request, CancellationToken cancellationToken) =>
        throw new MuxException(MuxStatus.FailedPrecondition, "no") { Detail = new Refusal { Reason = request.Text } };

    public async ValueTask<Answer> Upload(Question request, Stream content, CancellationToken cancellationToken)
    {
        using var bytes = new MemoryStream();
        await content.CopyToAsync(bytes, cancellationToken);
        return new Answer { Text = $"{request.Text} {bytes.Length}" };
    }

    public Stream Download(Question request, CancellationToken cancellationToken) => new MemoryStream(new byte[request.Count]);

    public ValueTask<Answer> Old(Question request, CancellationToken cancellationToken) => new(AnswerTo(request));

    private static Answer AnswerTo(Question request) => new() { Text = request.Text + "!", Point = new Point { X = request.Count } };
}
