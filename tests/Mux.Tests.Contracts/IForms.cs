namespace Mux.Tests.Contracts;

/// <summary>A method of every form.</summary>
[MuxService("test.Forms")]
public interface IForms
{
    ValueTask Empty();

    Task EmptyAsTask(CancellationToken cancellationToken = default);

    ValueTask<int> Number(int number);

    Task<int> NumberAsTask(int number, CancellationToken cancellationToken = default);

    ValueTask<string?> Text(string? text, CancellationToken cancellationToken = default);

    ValueTask<byte[]?> Bytes(byte[]? bytes);

    ValueTask<Point> Struct(Point point);

    ValueTask<Point?> MaybeStruct(Point? point, CancellationToken cancellationToken = default);

    ValueTask<Answer> Message(Question question);

    Task<Answer> MessageAsTask(Question question, CancellationToken cancellationToken = default);

    Task<List<Point>> Several(int x, List<int> numbers, Point? point, string? text, CancellationToken cancellationToken = default);

    ValueTask Store(Question question, int copies);

    [MuxMethod(OneWay = true)]
    ValueTask Post(string text);

    [MuxMethod(OneWay = true)]
    Task PostAsTask(int number, string text, CancellationToken cancellationToken = default);
}
