using Mux.Generators.Tests.Messages;

namespace Mux.Generators.Tests.Calls;

/// <summary>A method of every form.</summary>
[MuxService("test.Calls", Dispatch = MuxDispatchMode.Pool)]
internal interface ICalls
{
    ValueTask Nothing();

    ValueTask NothingLaterAsync(int count, CancellationToken cancellationToken);

    Task TaskWithoutResultAsync(Leaf leaf, CancellationToken cancellationToken = default);

    ValueTask<Leaf> Message(Leaf leaf);

    Task<Leaf> MessageTask(Leaf leaf, CancellationToken cancellationToken);

    ValueTask<int> Number();

    Task<string?> JoinAsync(string? left, string? right, List<int> numbers, Leaf? leaf, CancellationToken cancellationToken = default);

    ValueTask<Point> Struct(Point point);

    ValueTask<Point?> MaybeStruct(Point? point);

    ValueTask<byte[]?> Bytes(byte[]? bytes);

    ValueTask<List<Leaf>> Leaves(Leaf[] leaves);

    [MuxMethod("Fire", OneWay = true)]
    ValueTask FireAndForget(string text);

    [MuxMethod(OneWay = true, Dispatch = MuxDispatchMode.Inline)]
    Task FireTaskAsync();

    [MuxMethod("NumberOf")]
    ValueTask<int> Number(string text);

    ValueTask<int> @event(int @class, int @params);

    ValueTask Fail(string kind);
}
