namespace Mux.Groups;

/// <summary>The group with a key.</summary>
internal sealed class KeyedPlace<TKey>(GroupShelf<TKey> shelf, TKey key, GroupKind kind) : GroupPlace(kind)
    where TKey : notnull
{
    public override GroupMembers? Members => shelf.Find(key);

    protected override GroupMembers? Join(GroupMember member) => shelf.Join(key, member);
}
