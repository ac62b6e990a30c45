using System.Runtime.CompilerServices;
using Mux;

namespace Serializers;

public sealed class Catalog : ICatalog
{
    private static readonly Article[] s_articles = [new(1, "apple", 0.40m), new(2, "pear", 0.55m), new(3, "pineapple", 2.10m)];

    public ValueTask<Article> Find(FindArticle query, CancellationToken cancellationToken) =>
        new(Array.Find(s_articles, article => article.Name == query.Name) ?? throw new MuxException(MuxStatus.NotFound, $"There is no {query.Name}."));

    public async IAsyncEnumerable<Article> List(FindArticle query, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var article in s_articles.Where(article => article.Name.Contains(query.Name, StringComparison.Ordinal))) yield return article;
        await Task.CompletedTask;
    }
}
