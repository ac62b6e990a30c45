namespace Mux.Generators.Messages.Models;

/// <summary>Containers of a member's values.</summary>
internal enum Container
{
    Single,

    /// <summary>A nullable value type.</summary>
    Nullable,

    List,

    Array,

    /// <summary>Any other collection or map, which a <see cref="CollectionModel"/> describes.</summary>
    Collection,
}
