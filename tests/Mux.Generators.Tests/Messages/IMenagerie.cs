namespace Mux.Generators.Tests.Messages;

/// <summary>Reaches the messages that are special as a whole.</summary>
[MuxService("menagerie")]
internal interface IMenagerie
{
    ValueTask<Animal> Animal(Animal value);

    ValueTask<Puppy> Puppy(Puppy value);

    ValueTask<Kennel> Kennel(Kennel value);

    ValueTask<Boxed<Animal>> Box(Boxed<Animal> value);

    ValueTask<Traced> Traced(Traced value);

    ValueTask<TracedStruct> TracedStruct(TracedStruct value);

    ValueTask<Conditional> Conditional(Conditional value);

    ValueTask<Keeping> Keeping(Keeping value);

    ValueTask<KeepingRecord> KeepingRecord(KeepingRecord value);

    ValueTask<KeepingBase> KeepingBase(KeepingBase value);

    ValueTask<ExtensibleNode> ExtensibleNode(ExtensibleNode value);

    ValueTask<ExtensibleBase> ExtensibleBase(ExtensibleBase value);

    ValueTask<Thermometer> Thermometer(Thermometer value);

    ValueTask<Degrees> Degrees(Degrees value);

    ValueTask<Label> Label(Label value);

    ValueTask<Tuples> Tuples(Tuples value);

    ValueTask<(int Id, string? Name)> Pair((int Id, string? Name) value);

    ValueTask<(int, int, int, int, int, int, int, int, string)> Long((int, int, int, int, int, int, int, int, string) value);

    ValueTask<List<KeyValuePair<string, int>>> Pairs(List<KeyValuePair<string, int>> value);

    ValueTask<Coin> Coin(Coin value);

    ValueTask<(int A, string? B)[]> Several((int A, string? B)[] first, Coin? second);

    ValueTask<Page<Page<Leaf>>> Pages(Page<Page<Leaf>> value);

    ValueTask<Crate<int>> Numbers(Crate<int> value);

    ValueTask<Crate<string>> Labels(Crate<string> value);

    ValueTask<Slot> Slot(Slot value);

    ValueTask<LeveledTuples> Leveled(LeveledTuples value);

    ValueTask<Holder> Holder(Holder value);
}
