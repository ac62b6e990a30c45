namespace Mux.Push;

/// <summary>The group with a key.</summary>
internal sealed class KeyedPlace<TKey>(GroupShelf<TKey> shelf, TKey key) : GroupPlace(shelf.Kind)
    where TKey : notnull
{
    private string? _name;

    public override GroupMembers? Members => shelf.Find(key);

    protected override string Name => _name ??= shelf.NameOf(key);

    protected override GroupMembers? Join(GroupMember member) => shelf.Join(key, member);
}
