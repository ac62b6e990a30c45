using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Gives back what it gets.</summary>
internal sealed class Forms : IForms
{
    /// <summary>What came by methods that return nothing.</summary>
    public List<string> Stored { get; } = [];

    public Counter Posted { get; } = new("posted texts");

    /// <summary>Whether methods that return tasks have the defect of returning null.</summary>
    public bool ForgetsTasks { get; init; }

    public ValueTask Empty() => default;

    public Task EmptyAsTask(CancellationToken cancellationToken) => ForgetsTasks ? null! : Task.CompletedTask;

    public ValueTask<int> Number(int number) => new(number);

    public Task<int> NumberAsTask(int number, CancellationToken cancellationToken) => ForgetsTasks ? null! : Task.FromResult(number);

    public ValueTask<string?> Text(string? text, CancellationToken cancellationToken) => new(text);

    public ValueTask<byte[]?> Bytes(byte[]? bytes) => new(bytes);

    public ValueTask<Point> Struct(Point point) => new(point);

    public ValueTask<Point?> MaybeStruct(Point? point, CancellationToken cancellationToken) => new(point);

    public ValueTask<Answer> Message(Question question) => new(ToAnswer(question));

    public async Task<Answer> MessageAsTask(Question question, CancellationToken cancellationToken)
    {
        await Task.Yield();
        return ToAnswer(question);
    }

    public Task<List<Point>> Several(int x, List<int> numbers, Point? point, string? text, CancellationToken cancellationToken) =>
        Task.FromResult(numbers.ConvertAll(number => new Point(x + (point?.X ?? 0), number + (text?.Length ?? 0))));

    public ValueTask Store(Question question, int copies)
    {
        Stored.AddRange(Enumerable.Repeat(question.Text!, copies));
        return default;
    }

    public ValueTask Post(string text)
    {
        Stored.Add(text);
        Posted.Add();
        return default;
    }

    public async Task PostAsTask(int number, string text, CancellationToken cancellationToken)
    {
        await Task.Yield();
        Stored.Add(text + number);
        Posted.Add();
    }

    private static Answer ToAnswer(Question question) => new() { Id = question.Id, Text = question.Text, Bytes = question.Bytes, Names = question.Names };
}
