namespace Evidence.Users;

/// <summary>What the methods of a contract return.</summary>
internal enum ReturnKind
{
    ValueTask,
    Task,
}
