using Mux.Serialization.Oracles.Contracts;

namespace Mux.Serialization.Oracles.Shapes;

/// <summary>Reaches the contracts of the shapes: a shape is a method, and its request is the message.</summary>
[MuxService("shapes")]
internal interface IShapes
{
    ValueTask Numbers(Numbers value);

    ValueTask OptionalNumbers(OptionalNumbers value);

    ValueTask RequiredNumbers(RequiredNumbers value);

    ValueTask NumberLists(NumberLists value);

    ValueTask PackedNumbers(PackedNumbers value);

    ValueTask Texts(Texts value);

    ValueTask Branch(Branch value);

    ValueTask Groups(Contracts.Groups value);

    ValueTask Defaults(Defaults value);

    ValueTask Link(Link value);

    ValueTask Page(Page<Leaf> value);

    ValueTask ModernValues(ModernValues value);

    ValueTask MiddleValues(MiddleValues value);

    ValueTask OldValues(OldValues value);

    ValueTask GroupedTimes(GroupedTimes value);

    ValueTask Collections(Collections value);

    ValueTask Stacks(Stacks value);

    ValueTask Maps(Maps value);

    ValueTask Pairs(Pairs value);

    ValueTask Nulls(Nulls value);

    ValueTask GroupedNulls(GroupedNulls value);

    ValueTask Animal(Animal value);

    ValueTask Tuples(Tuples value);

    ValueTask Conditions(Conditions value);

    ValueTask Surrogates(Surrogates value);

    ValueTask Keeping(Keeping value);

    ValueTask RootNumber(int value);

    ValueTask RootNumbers(long[] value);

    ValueTask RootTexts(List<string> value);

    ValueTask RootMap(Dictionary<int, string> value);
}
