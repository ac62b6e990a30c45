using System.Collections.Immutable;

namespace Mux.Generators.Tests.Messages;

/// <summary>Reaches the messages of the tests of containers, and collections that stand alone.</summary>
[MuxService("containers")]
internal interface IContainers
{
    ValueTask<Crowd> Crowd(Crowd value);

    ValueTask<Branch> Branch(Branch value);

    ValueTask<Dictionary<string, int>> Words(Dictionary<string, int>? value);

    ValueTask<IReadOnlyDictionary<int, Leaf>> Leaves(IReadOnlyDictionary<int, Leaf>? value);

    ValueTask<IReadOnlyList<string>> Texts(IReadOnlyList<string>? value);

    ValueTask<HashSet<int>> Set(HashSet<int>? value);

    ValueTask<ImmutableArray<int>> Frozen(ImmutableArray<int> value);

    ValueTask<Stack<int>> Stack(Stack<int>? value);

    ValueTask<int> Several(IReadOnlyList<int> numbers, Dictionary<int, string> names, ImmutableArray<int> frozen, ISet<int>? set);
}
